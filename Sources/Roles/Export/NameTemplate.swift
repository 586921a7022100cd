/// Template of the names of exported photos: text with fields in braces, `{dir}/{base}.{look}.{ext}`.
///
/// Names stay below the export's folder: a template whose text leads out of it is refused, and fields are made
/// harmless; see `PhotoName`.
public struct NameTemplate: Hashable, Sendable, CustomStringConvertible {
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
    /// The template as given.
    public let description: String

    /// The default template, `{dir}/{base}.{look}.{ext}`.
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

    /// Parses a template, and appends `{ext}` if missing.
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
        // Fields contain no "..", so only the template's text matters.
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

    /// A field that distinguishes recipes.
    public enum RecipeField: Hashable, Sendable {
        case look, size, quality
    }

    /// Whether the template has this field.
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

/// Why a text is not a valid template.
public enum NameTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    case unbalanced
    case unknownField(String)
    case noPattern(String)
    case badPattern(String)
    case leadsOut
    case noName
    case sameForAll

    /// The end of a sentence whose subject is the template.
    public var description: String {
        switch self {
        case .unbalanced: "has an unmatched brace; write a field as {base}"
        case .unknownField(let name):
            "has an unknown field {\(name)}; the fields are {"
                + NameTemplate.fieldNames.joined(separator: "}, {") + "}"
        case .noPattern(let name): "has a pattern in {\(name)}; only {date:%Y-%m-%d} may have one"
        case .badPattern(let pattern):
            "has an invalid date pattern \(pattern); use %Y, %y, %m, %d, %H, %M and %S"
        case .leadsOut: "leads out of the folder; it must not be absolute or contain .."
        case .noName: "does not end in a file name"
        case .sameForAll: "gives all photos the same name; it needs {base}, {frame} or {date}"
        }
    }
}
