public import Manifests

/// The properties that a rendition inherits from its RAW's packet or a sidecar: descriptive metadata, without facts
/// about the RAW's pixels or edits of other programs.
public struct InheritedXMP: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        /// A bag, or a sequence if `isOrdered`.
        case list([String], isOrdered: Bool)
        /// A text in several languages, `x-default` first. With only one other language, XMP requires the same text for
        /// both (XMP part 1, 8.2.2.4), and the library makes them equal.
        case localised([Translation])
    }

    struct Translation: Hashable, Sendable {
        let language: String
        let text: String
    }

    struct Property: Hashable, Sendable {
        let space: XMPNamespace
        let name: String
    }

    var values: [Property: Value] = [:]
    /// The RAW's document ID, as recorded by other programs.
    public internal(set) var originalDocumentID: String?

    /// No properties.
    public init() {}

    /// Replaces properties by those of a sidecar.
    public func overridden(by sidecar: InheritedXMP) -> InheritedXMP {
        var result = self
        result.values.merge(sidecar.values) { _, theirs in theirs }
        result.originalDocumentID = originalDocumentID ?? sidecar.originalDocumentID
        return result
    }

    /// −1 (rejected) to 5 stars; 0 if unrated.
    public var rating: Int { Self.stars(text(.basic, "Rating")) }

    /// Stars of an `xmp:Rating` (XMP part 1, 8.4): −1 to 5; 0 if missing or invalid.
    static func stars(_ text: String?) -> Int {
        guard let number = text.flatMap({ Double($0) })?.rounded(), (-1...5).contains(number) else { return 0 }
        return Int(number)
    }

    /// The colour label's name.
    public var label: String? { text(.basic, "Label") }
    /// The title in the default language.
    public var title: String? { defaultText("title") }
    /// The description in the default language.
    public var caption: String? { defaultText("description") }

    /// The keywords, without hierarchies.
    public var keywords: [String] { list(.dublinCore, "subject") }

    /// The keywords as stored in a library, including each part of hierarchies, which Lightroom, darktable and digiKam
    /// write as `place|lake`.
    public var allKeywords: Keywords {
        Keywords(
            keywords
                + list(.lightroom, "hierarchicalSubject").flatMap { $0.split(separator: "|").map(String.init) })
    }

    private func list(_ space: XMPNamespace, _ name: String) -> [String] {
        guard case .list(let items, _)? = values[Property(space: space, name: name)] else { return [] }
        return items
    }

    private func text(_ space: XMPNamespace, _ name: String) -> String? {
        guard case .text(let text)? = values[Property(space: space, name: name)] else { return nil }
        return text
    }

    private func defaultText(_ name: String) -> String? {
        guard case .localised(let texts)? = values[Property(space: .dublinCore, name: name)] else { return nil }
        return texts.first?.text
    }
}
