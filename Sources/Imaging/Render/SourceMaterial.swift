internal import Decode
internal import Digest
internal import Jobs
internal import Metadata
internal import Storage

/// What was read for a job, beside the RAW's bytes, which are in the context's buffer.
struct SourceMaterial {
    fileprivate let digest: RawDigest
    /// What the sidecar says; nothing where there is none.
    let sidecar: InheritedXMP
    let companion: CompanionMaterial?

    /// SHA-256 of the RAW. The first time it is asked for the RAW must still be in the buffer.
    var asset: SHA256Value {
        switch digest {
        case .made(let value): value
        case .underway(let beside): beside.value
        }
    }
}

/// Made while the RAW was read or, where there are threads to spare, being made while it is read and decoded.
private enum RawDigest {
    case made(SHA256Value)
    case underway(BackgroundHasher)
}

/// The JPEG beside a RAW, before it is known whether it is of the same shot.
struct CompanionMaterial {
    let stamp: FileStamp
    let digest: SHA256Value
    let capture: CaptureStamp
}

extension RenderContext {
    /// Reads the RAW into the buffer, and the files beside it. Each must be as it was when the job was planned.
    mutating func read(_ source: Source) throws(Failure) -> SourceMaterial {
        let root = try root(of: source.raw)
        let digest = try sourceFailure(source.raw.file) { () throws(StorageError) in try readRaw(source.raw, in: root) }
        return SourceMaterial(
            digest: digest, sidecar: try sidecar(source.sidecar), companion: try companion(source.companion))
    }

    private mutating func readRaw(_ raw: FileStamp, in root: Root) throws(StorageError) -> RawDigest {
        let path = raw.file.path.bytes
        let limit = UInt64(settings.limits.fileBytes)
        if threads > 1 {
            let digest = BackgroundHasher()
            _ = try root.load(path, into: &file, limitBytes: limit, expecting: raw.expected) { digest.add($0) }
            return .underway(digest)
        }
        return .made(try root.read(path, into: &file, limitBytes: limit, expecting: raw.expected).digest)
    }

    private func root(of stamp: FileStamp) throws(Failure) -> Root {
        let file = stamp.file
        guard let root = roots[file.root.text] else {
            throw Failure(.unknownRoot, "The folder \"\(file.root)\" of \(file) is not known here.")
        }
        return root
    }

    private func sidecar(_ stamp: FileStamp?) throws(Failure) -> InheritedXMP {
        guard let stamp else { return InheritedXMP() }
        let root = try root(of: stamp)
        let bytes = try sourceFailure(stamp.file) { () throws(StorageError) in
            var buffer = FileBuffer()
            _ = try root.read(
                stamp.file.path.bytes, into: &buffer, limitBytes: 16 << 20, expecting: stamp.expected)
            return Array(buffer.bytes)
        }
        // A sidecar another program broke says nothing; that is no reason to refuse the photo.
        return (try? toolkit.inherited(from: bytes)) ?? InheritedXMP()
    }

    private func companion(_ stamp: FileStamp?) throws(Failure) -> CompanionMaterial? {
        guard let stamp else { return nil }
        let root = try root(of: stamp)
        return try sourceFailure(stamp.file) { () throws(StorageError) in
            var buffer = FileBuffer()
            let identity = try root.read(
                stamp.file.path.bytes, into: &buffer, limitBytes: 1 << 30, expecting: stamp.expected)
            let prefix = Array(buffer.bytes.prefix(JPEGWalker.prefixByteCount))
            return CompanionMaterial(stamp: stamp, digest: identity.digest, capture: CaptureStamp(jpeg: prefix))
        }
    }
}

extension FileStamp {
    var expected: ExpectedFile { ExpectedFile(sizeBytes: sizeBytes, modifiedNanoseconds: modifiedNanoseconds) }
}
