internal import Glibc
internal import Metadata
internal import PictureFormat

/// Reads the metadata of an open file. Only a process in the sandbox does so.
struct PhotoReader {
    let toolkit: XMPToolkit
    let beforeReading: ([UInt8]) -> Void

    func answer(_ question: MetadataQuestion, about file: Int32) -> MetadataAnswerMessage {
        let prefix = Self.prefix(of: file)
        beforeReading(prefix)
        switch question {
        case .identity:
            do throws(XMPError) { return .identity(try toolkit.identity(fromJPEG: prefix)) } catch {
                return .nothing(error)
            }
        case .size:
            guard let frame = JPEGMetadata.frameHeader(in: prefix) else { return .nothing(.notAJPEG) }
            return .size(PixelSize(width: frame.width, height: frame.height))
        }
    }

    /// The file's first bytes, as far as they can be read.
    private static func prefix(of file: Int32) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: JPEGMetadata.prefixByteCount) { space, done in
            done = 0
            while let start = space.baseAddress, done < space.count {
                let count = unsafe pread(file, start + done, space.count - done, off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                done += count
            }
        }
    }
}
