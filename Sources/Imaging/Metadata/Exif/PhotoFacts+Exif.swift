internal import Manifests
internal import TIFF

extension PhotoFacts {
    /// Sets the facts that a photo's EXIF has.
    ///
    /// - Parameter fields: the photo's, which may hold anything.
    mutating func read(_ fields: [ExifField]) {
        for source in Self.sources {
            guard let fact = PhotoFact.named(source.key) else { continue }
            let values = source.tags.lazy.compactMap { tag in
                fields.first { $0.directory == .photo && $0.tag == tag }.flatMap(source.read)
            }
            fact.set(values.first, in: &self)
        }
    }

    /// Where EXIF has a fact: of several fields the first one with a value counts.
    private struct Source {
        let key: String
        let tags: [TIFFTag]
        let read: @Sendable (ExifField) -> FactValue?
    }

    private static let sources: [Source] = [
        Source(key: "lensName", tags: [.lensModel]) { $0.text.map { .text($0) } }
    ]
}
