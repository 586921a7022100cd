internal import Decode
internal import Digest
internal import Jobs
internal import Metadata
internal import Storage

/// What was read for a job, beside the RAW's bytes, which are in the context's buffer.
struct SourceMaterial {
    /// SHA-256 of the RAW.
    let asset: SHA256Value
    /// What the sidecar says; nothing where there is none.
    let sidecar: InheritedXMP
    let companion: CompanionMaterial?
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
        let limit = UInt64(settings.limits.fileBytes)
        let asset = try sourceFailure(source.raw.file) { () throws(StorageError) in
            try root(of: source.raw).read(
                source.raw.file.path.bytes, into: &file, limitBytes: limit, expecting: source.raw.expected,
                hashesBeside: threads > 1)
        }
        return SourceMaterial(
            asset: asset.digest, sidecar: try sidecar(source.sidecar), companion: try companion(source.companion))
    }

    private func root(of stamp: FileStamp) throws(StorageError) -> Root {
        guard let root = roots[stamp.file.root.text] else {
            throw StorageError(.badPath, "find the root of", stamp.file.path.bytes)
        }
        return root
    }

    private func sidecar(_ stamp: FileStamp?) throws(Failure) -> InheritedXMP {
        guard let stamp else { return InheritedXMP() }
        let bytes = try sourceFailure(stamp.file) { () throws(StorageError) in
            var buffer = FileBuffer()
            _ = try root(of: stamp).read(
                stamp.file.path.bytes, into: &buffer, limitBytes: 16 << 20, expecting: stamp.expected)
            return Array(buffer.bytes)
        }
        // A sidecar another program broke says nothing; that is no reason to refuse the photo.
        return (try? toolkit.inherited(from: bytes)) ?? InheritedXMP()
    }

    private func companion(_ stamp: FileStamp?) throws(Failure) -> CompanionMaterial? {
        guard let stamp else { return nil }
        return try sourceFailure(stamp.file) { () throws(StorageError) in
            var buffer = FileBuffer()
            let identity = try root(of: stamp).read(
                stamp.file.path.bytes, into: &buffer, limitBytes: 1 << 30, expecting: stamp.expected)
            let prefix = Array(buffer.bytes.prefix(JPEGWalker.prefixByteCount))
            return CompanionMaterial(stamp: stamp, digest: identity.digest, capture: CaptureStamp(jpeg: prefix))
        }
    }
}

extension FileStamp {
    var expected: ExpectedFile { ExpectedFile(sizeBytes: sizeBytes, modifiedNanoseconds: modifiedNanoseconds) }
}
