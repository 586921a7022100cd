import Foundation
import Glibc
import RenderHost
import Synchronization
import Testing

@Suite struct MessageChannelTests {
    @Test("A wait for a message that comes byte by byte ends in time, and what has come is kept")
    func slowMessage() throws {
        let (ours, theirs) = try #require(MessageChannel.pair())
        var channel = MessageChannel(owning: ours)
        let isAwaited = Mutex(true)
        Thread {
            for byte in [0, 4, 0, 0] + [UInt8](repeating: 7, count: 1024) {
                _ = withUnsafeBytes(of: byte) { send(theirs, $0.baseAddress, 1, Int32(MSG_NOSIGNAL)) }
                if isAwaited.withLock({ $0 }) { usleep(20_000) }
            }
            close(theirs)
        }.start()
        let isNothing = channel.receive(milliseconds: 200, limit: 1 << 20) == .nothingYet
        #expect(isNothing)
        isAwaited.withLock { $0 = false }
        let isWhole =
            channel.receive(milliseconds: 60_000, limit: 1 << 20) == .message([UInt8](repeating: 7, count: 1024))
        #expect(isWhole)
        #expect(channel.receive(milliseconds: -1, limit: 1 << 20) == .ended)
    }
}
