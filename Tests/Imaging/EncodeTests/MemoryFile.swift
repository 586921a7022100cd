import Encode
import Synchronization

final class MemoryFile: PhotoFile {
    private struct State {
        var bytes: [UInt8] = []
        var writesLeft = Int.max
    }

    private let state: Mutex<State>

    /// - Parameter writesLeft: number of writes that succeed.
    init(writesLeft: Int = .max) { state = Mutex(State(writesLeft: writesLeft)) }

    var bytes: [UInt8] { state.withLock(\.bytes) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PhotoFileError) {
        let copied = Array(bytes)
        let isWritten = state.withLock { state in
            guard state.writesLeft > 0 else { return false }
            state.writesLeft -= 1
            let end = offset + copied.count
            // Bytes that were never written must not be in the final file.
            if state.bytes.count < end { state.bytes += [UInt8](repeating: 0xEE, count: end - state.bytes.count) }
            state.bytes.replaceSubrange(offset..<end, with: copied)
            return true
        }
        if !isWritten { throw PhotoFileError() }
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(PhotoFileError) {
        let found = state.withLock { Array($0.bytes[offset..<offset + bytes.count]) }
        bytes.copyBytes(from: found)
    }

    func cut(toBytes byteCount: Int) throws(PhotoFileError) {
        state.withLock { $0.bytes.removeSubrange(byteCount...) }
    }
}
