import PictureFormat

extension Frame {
    func embeddedPreview(limits: DecodeLimits) -> EmbeddedPreview? {
        guard let found = raw.thumbnail(maxByteCount: limits.fileBytes) else { return nil }
        switch found.format {
        case .jpeg:
            guard found.bytes.starts(with: [0xff, 0xd8]) else { return nil }
            return EmbeddedPreview(format: .jpeg, bytes: found.bytes, size: found.size)
        case .rgb8:
            let edges = 1...65_535
            guard edges.contains(found.size.width), edges.contains(found.size.height),
                found.bytes.count >= found.size.pixelCount * 3
            else { return nil }
            let bytes = Array(found.bytes.prefix(found.size.pixelCount * 3))
            return EmbeddedPreview(format: .rgb8, bytes: bytes, size: found.size)
        }
    }

    func smallPreviews(limits: DecodeLimits) -> SmallPreviews {
        var search = PreviewSearch()
        if let tiff { search.add(tiff) }
        if search.isSuccessful { return search.result }
        guard let whole = embeddedPreview(limits: limits) else { return search.result }
        switch whole.format {
        case .jpeg: unsafe whole.bytes.withUnsafeBytes { unsafe search.add(jpeg: $0) }
        case .rgb8: return SmallPreviews(candidates: [whole], hasDamaged: false)
        }
        return search.result
    }
}
