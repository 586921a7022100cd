/// How the photos of an export are called: text with fields in braces, `{dir}/{base}.{look}.{ext}`.
///
/// A template names files below the export's folder and cannot lead out of it: it is refused where its own text would,
/// and what a field brings is made harmless, see `PhotoName`.
public struct NameTemplate: Hashable, Sendable, CustomStringConvertible {
    /// A part of a name that differs from photo to photo.
    enum Field: Hashable, Sendable {
        /// The RAW's folder below the source.
        case dir
        /// The RAW's name without its extension.
        case base
        case look, version, camera, make, frame, size, quality, ext
        case date(DatePattern)
    }

    enum Part: Hashable, Sendable {
        case text(String)
        case field(Field)
    }

    let parts: [Part]
    /// The template as it was given.
    public let description: String

    /// `{dir}/{base}.{look}.{ext}`, the template of a person who gives none.
    public static let usual = NameTemplate(
        parts: [
            .field(.dir), .text("/"), .field(.base), .text("."), .field(.look), .text("."), .field(.ext),
        ], description: "{dir}/{base}.{look}.{ext}")

    private static let simpleFields: [(name: String, field: Field)] = [
        ("dir", .dir), ("base", .base), ("look", .look), ("version", .version), ("camera", .camera), ("make", .make),
        ("frame", .frame), ("size", .size), ("quality", .quality), ("ext", .ext), ("date", .date(.usual)),
    ]

    /// The names of all fields.
    public static let fieldNames = simpleFields.map(\.name)

    /// Reads a template. One without `{ext}` gets it at the end.
    ///
    /// - Throws: `NameTemplateError`.
    public init(_ text: String) throws(NameTemplateError) {
        description = text
        var parts: [Part] = []
        var rest = text[...]
        while !rest.isEmpty {
            let plain = rest.prefix { $0 != "{" && $0 != "}" }
            if !plain.isEmpty { parts.append(.text(String(plain))) }
            rest = rest[plain.endIndex...]
            guard let brace = rest.first else { break }
            guard brace == "{", let end = rest.firstIndex(of: "}") else { throw .unbalanced }
            parts.append(.field(try Self.field(rest[rest.index(after: rest.startIndex)..<end])))
            rest = rest[rest.index(after: end)...]
        }
        try Self.check(text, parts)
        if !parts.contains(.field(.ext)) { parts += [.text("."), .field(.ext)] }
        self.parts = parts
    }

    private init(parts: [Part], description: String) {
        self.parts = parts
        self.description = description
    }

    private static func field(_ text: Substring) throws(NameTemplateError) -> Field {
        let name = text.prefix { $0 != ":" }
        guard let found = simpleFields.first(where: { $0.name == name })?.field else {
            throw .unknownField(String(name))
        }
        guard name.endIndex != text.endIndex else { return found }
        guard case .date = found else { throw .noPattern(String(name)) }
        return .date(try DatePattern(String(text[text.index(after: name.endIndex)...])))
    }

    private static func check(_ text: String, _ parts: [Part]) throws(NameTemplateError) {
        guard !text.utf8.contains(0) else { throw .leadsOut }
        // What fields bring has no ".." of its own, so that the template's text alone decides.
        let skeleton = parts.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
        let folders = skeleton.split(separator: "/", omittingEmptySubsequences: false)
        guard skeleton.first != "/", !folders.contains("..") else { throw .leadsOut }
        guard let last = folders.last, !last.isEmpty, last != "." else { throw .noName }
        let naming: [Field] = [.base, .frame]
        guard
            parts.contains(where: {
                if case .field(let field) = $0 { naming.contains(field) || field.isDate } else { false }
            })
        else { throw .sameForAll }
    }

    /// A field that tells one recipe's photos from another's.
    public enum RecipeField: Hashable, Sendable {
        case look, size, quality
    }

    /// Whether the names have this field.
    public func names(_ field: RecipeField) -> Bool {
        switch field {
        case .look: contains(.look)
        case .size: contains(.size)
        case .quality: contains(.quality)
        }
    }

    func contains(_ field: Field) -> Bool { parts.contains(.field(field)) }
}

extension NameTemplate.Field {
    var isDate: Bool { if case .date = self { true } else { false } }
}

/// Why a text is no template.
public enum NameTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    case unbalanced
    case unknownField(String)
    case noPattern(String)
    case badPattern(String)
    case leadsOut
    case noName
    case sameForAll

    /// What is wrong, as the end of a sentence that begins with the template.
    public var description: String {
        switch self {
        case .unbalanced: "has a brace without its partner: a field is written {base}"
        case .unknownField(let name):
            "has a field {\(name)} that does not exist; there are {"
                + NameTemplate.fieldNames.joined(separator: "}, {") + "}"
        case .noPattern(let name): "gives {\(name)} a pattern; only {date:%Y-%m-%d} has one"
        case .badPattern(let pattern):
            "has a date pattern that cannot be used: \(pattern). It may hold %Y, %y, %m, %d, %H, %M and %S"
        case .leadsOut: "leads out of the folder: it must not be absolute or hold .."
        case .noName: "does not end in a file's name"
        case .sameForAll: "gives all photos one name: it needs {base}, {frame} or {date}"
        }
    }
}
