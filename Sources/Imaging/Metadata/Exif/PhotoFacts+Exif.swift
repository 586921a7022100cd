internal import Manifests
internal import TIFF

extension PhotoFacts {
    /// Sets the facts that EXIF contains.
    ///
    /// - Parameter fields: untrusted.
    mutating func read(_ fields: [ExifField]) {
        for source in Self.sources {
            guard let fact = PhotoFact.named(source.key) else { continue }
            let values = source.tags.lazy.compactMap { tag in
                fields.first { $0.directory == .photo && $0.tag == tag }.flatMap(source.read)
            }
            fact.set(values.first, in: &self)
        }
    }

    /// EXIF fields of a fact, in order of precedence.
    private struct Source {
        let key: String
        let tags: [TIFFTag]
        let read: @Sendable (ExifField) -> FactValue?
    }

    private static let sources: [Source] = [
        Source(key: "lensName", tags: [.lensModel]) { $0.text.map { .text($0) } },
        Source(key: "exposureSeconds", tags: [.exposureTime], read: number),
        Source(key: "aperture", tags: [.fNumber], read: number),
        // EXIF stores 65,535 for a sensitivity that exceeds 16 bits.
        Source(key: "iso", tags: [.photographicSensitivity, .recommendedExposureIndex, .isoSpeed]) { field in
            field.integers?.first.flatMap { (1...10_000_000).contains($0) && $0 != 65_535 ? .whole($0) : nil }
        },
        Source(key: "focalLength", tags: [.focalLength], read: number),
        Source(key: "focalLength35", tags: [.focalLengthIn35mmFilm]) { field in
            field.integers?.first.flatMap { $0 > 0 ? .whole($0) : nil }
        },
    ]

    /// Nil for 0, which means "unknown".
    @Sendable private static func number(_ field: ExifField) -> FactValue? {
        field.quotients.first.flatMap { $0 > 0 ? .number($0) : nil }
    }
}
