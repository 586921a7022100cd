public import Manifests

/// The properties a rendition inherits from its RAW's own packet or from a sidecar: what people wrote about the photo,
/// and nothing about the RAW's pixels or edits in other programs.
public struct InheritedXMP: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        /// A bag, or a sequence where `isOrdered` is true.
        case list([String], isOrdered: Bool)
        /// One text in several languages, `x-default` first. If there is only one language beside it, XMP demands the
        /// same text for both (XMP part 1, 8.2.2.4), and the library makes them equal.
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
    /// The RAW's identity as other programs recorded it.
    public internal(set) var originalDocumentID: String?

    /// No properties.
    public init() {}

    /// These properties, replaced by the sidecar's where it has them.
    public func overridden(by sidecar: InheritedXMP) -> InheritedXMP {
        var result = self
        result.values.merge(sidecar.values) { _, theirs in theirs }
        result.originalDocumentID = originalDocumentID ?? sidecar.originalDocumentID
        return result
    }

    /// −1 (rejected) to 5 stars; 0 without any.
    public var rating: Int { Self.stars(text(.basic, "Rating")) }

    /// The stars of a text of `xmp:Rating` (XMP part 1, 8.4): −1 to 5, 0 for none and for what is no rating.
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

    /// The keywords as the library keeps them: also each part of hierarchies, which Lightroom, darktable and digiKam
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
