internal import Digest
internal import Glibc
internal import Manifests
internal import Metadata
internal import PictureFormat

/// Reads the metadata of an open file. Only sandboxed processes do so.
struct PhotoReader {
    let toolkit: XMPToolkit
    let beforeReading: ([UInt8]) -> Void

    func answer(_ question: MetadataQuestion, about file: Int32) -> MetadataReply {
        let photo = PhotoBytes { offset, count in Self.bytes(of: file, from: offset, count) }
        beforeReading(Self.bytes(of: file, from: 0, JPEGMetadata.prefixByteCount))
        switch question {
        case .identity:
            do throws(XMPError) { return .identity(try toolkit.identity(from: photo)) } catch {
                return .problem(error)
            }
        case .sidecar:
            do throws(XMPError) { return .sidecar(try toolkit.sidecar(from: photo)) } catch { return .problem(error) }
        case .picture:
            let bytes = Self.bytes(of: file, from: 0, Self.pictureLimit + 1)
            guard bytes.count <= Self.pictureLimit, let picture = JPEGMetadata.picture(of: bytes) else {
                return .problem(.notAPhoto)
            }
            return .picture(SHA256Value(of: picture))
        case .size:
            guard let size = PhotoMetadata.size(of: photo) else { return .problem(.notAPhoto) }
            return .size(size)
        }
    }

    /// Two pictures of this size fit into the process's address space.
    private static let pictureLimit = 256 << 20

    private static func bytes(of file: Int32, from offset: UInt64, _ count: Int) -> [UInt8] {
        guard let first = off_t(exactly: offset) else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { space, done in
            done = 0
            while let start = space.baseAddress, done < count {
                let (place, isBeyond) = first.addingReportingOverflow(off_t(done))
                if isBeyond { return }
                let count = unsafe pread(file, start + done, count - done, place)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                done += count
            }
        }
    }
}
