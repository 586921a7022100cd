internal import TIFF
internal import Manifests

extension InheritedXMP {
    /// Adds stars and keywords from the RAW's fields if its packet has none: cameras store their own ratings there, and
    /// older programs keywords.
    ///
    /// - Parameter fields: of the RAW; untrusted.
    public func completed(by fields: [ExifField]) -> InheritedXMP {
        func field(_ tag: TIFFTag) -> ExifField? { fields.first { $0.directory == .image && $0.tag == tag } }
        var result = self
        let stars = Property(space: .basic, name: "Rating")
        if values[stars] == nil,
            let rating = Self.rating(field(.rating)) ?? Self.rating(percent: field(.ratingPercent))
        {
            result.values[stars] = .text("\(rating)")
        }
        let subject = Property(space: .dublinCore, name: "subject")
        if values[subject] == nil {
            let words = field(.iptc).map { IPTCKeywords.read($0) } ?? []
            let kept = words.isEmpty ? field(.xpKeywords).map { Self.words(ofWindows: $0.value) } ?? [] : words
            if !kept.isEmpty { result.values[subject] = .list(kept, isOrdered: false) }
        }
        return result
    }

    /// Nil for 0, which cameras write for every unrated photo.
    private static func rating(_ field: ExifField?) -> Int64? {
        field?.integers?.first.flatMap { (1...5).contains($0) ? $0 : nil }
    }

    /// Windows writes 1, 25, 50, 75 and 99 for one to five stars.
    private static func rating(percent field: ExifField?) -> Int64? {
        field?.integers?.first.flatMap { (1...100).contains($0) ? ($0 + 12) / 25 + 1 : nil }
    }

    /// Windows writes little-endian UTF-16, with semicolons between keywords.
    private static func words(ofWindows value: [UInt8]) -> [String] {
        let units = stride(from: 0, to: value.count - 1, by: 2).map { UInt16(value[$0]) | UInt16(value[$0 + 1]) << 8 }
        let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        return Keywords(text.split(separator: ";").lazy.map(String.init)).words
    }
}

/// Keywords of a block of IPTC's Information Interchange Model (version 4.2, 1999): datasets 2:25.
enum IPTCKeywords {
    static func read(_ field: ExifField) -> [String] {
        var bytes = field.value
        // Some programs declare the block as 32-bit numbers, which were byte-swapped in big-endian files.
        if field.type == .long, bytes.first != marker, bytes.count.isMultiple(of: 4) {
            bytes = stride(from: 0, to: bytes.count, by: 4).flatMap { bytes[$0..<($0 + 4)].reversed() }
        }
        var words: [String] = []
        var rest = bytes[...]
        while rest.count >= 5, rest.first == marker {
            let head = Array(rest.prefix(5))
            let count = Int(head[3]) << 8 | Int(head[4])
            // Datasets of more than 32,767 bytes contain no keywords.
            guard count < 0x8000, rest.count >= 5 + count else { break }
            let value = rest.dropFirst(5).prefix(count)
            if head[1] == 2, head[2] == 25, let word = ExifText.clean(Array(value)) { words.append(word) }
            rest = rest.dropFirst(5 + count)
        }
        return Keywords(words).words
    }

    private static let marker: UInt8 = 0x1C
}
