/// JSON schema (draft 2020-12) of looks in YAML, for completion and validation in editors.
///
/// It is generated from the parser's own tables, so that both have the same names and ranges.
public enum LookSchema {
    /// The indented schema, with a final line end.
    public static let text =
        Schema.object([
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            ("title", .text("A look of Rawmill")),
            ("type", .text("object")),
            ("required", .list(["rawmill-look", "name", "steps"].map(Schema.text))),
            ("additionalProperties", .raw("false")),
            (
                "properties",
                .object([
                    ("rawmill-look", .object([("const", .raw(LookDefinition.formVersion))])),
                    ("name", .object([("type", .text("string")), ("pattern", .text("^[a-z0-9-]{1,64}$"))])),
                    (
                        "version",
                        .object([
                            ("type", .text("integer")), ("minimum", .raw("1")),
                            ("maximum", .raw("\(LookFile.maxVersion)")),
                        ])
                    ),
                    ("summary", .object([("type", .text("string"))])),
                    (
                        "steps",
                        .object([
                            ("type", .text("array")), ("minItems", .raw("1")),
                            ("maxItems", .raw("\(LookDefinition.maxSteps)")),
                            ("items", .object([("oneOf", .list(steps))])),
                        ])
                    ),
                ])
            ),
        ]).written(indent: 0) + "\n"

    private static let steps: [Schema] = {
        let looks = LookCatalogue.builtIn.looks
        func names(_ isFilm: Bool) -> Schema {
            let found = looks.filter { ($0.film != nil) == isFilm }
            let names = Set(found.map(\.name)).union(found.map(\.identifier)).sorted()
            return .object([("enum", .list(names.map(Schema.text)))])
        }
        let film = LookStep.filmParameters.map { ($0.name, Schema.numbers(1, $0.range)) }
        let table = Schema.object([("type", .text("string")), ("minLength", .raw("1"))])
        let spaces = Schema.object([("enum", .list(TableSpace.allCases.map { Schema.text($0.rawValue) }))])
        return [
            step("look", names(true), film), step("look", names(false), []),
            step("table", table, [("input-space", spaces)]),
        ]
            + CoreImageEffect.all.map { effect in
                step(
                    "effect", .object([("const", .text(effect.name))]),
                    effect.parameters.map { ($0.name, Schema.numbers($0.usual.count, $0.range)) })
            }
    }()

    private static func step(_ kind: String, _ value: Schema, _ parameters: [(String, Schema)]) -> Schema {
        .object([
            ("type", .text("object")), ("required", .list([.text(kind)])), ("additionalProperties", .raw("false")),
            ("properties", .object([(kind, value)] + parameters + [("strength", .numbers(1, 0...1))])),
        ])
    }
}

/// A piece of JSON in a fixed order.
private indirect enum Schema {
    case text(String)
    case raw(String)
    case list([Schema])
    case object([(String, Schema)])

    /// One number in a range, or a list of several.
    static func numbers(_ count: Int, _ range: ClosedRange<Double>) -> Schema {
        let number = Schema.object([
            ("type", .text("number")), ("minimum", .raw(CoreImageEffect.Parameter.text(range.lowerBound))),
            ("maximum", .raw(CoreImageEffect.Parameter.text(range.upperBound))),
        ])
        if count == 1 { return number }
        return .object([
            ("type", .text("array")), ("items", number), ("minItems", .raw("\(count)")), ("maxItems", .raw("\(count)")),
        ])
    }

    /// No text here has a character that JSON escapes.
    func written(indent: Int) -> String {
        let (outer, inner) = (String(repeating: "  ", count: indent), String(repeating: "  ", count: indent + 1))
        switch self {
        case .text(let text): return "\"\(text)\""
        case .raw(let text): return text
        case .list(let items):
            if items.allSatisfy(\.isScalar) {
                return "[\(items.map { $0.written(indent: 0) }.joined(separator: ", "))]"
            }
            let lines = items.map { inner + $0.written(indent: indent + 1) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
        case .object(let pairs):
            if pairs.count <= 3, pairs.allSatisfy(\.1.isScalar) {
                return "{\(pairs.map { "\"\($0)\": \($1.written(indent: 0))" }.joined(separator: ", "))}"
            }
            let lines = pairs.map { "\(inner)\"\($0)\": \($1.written(indent: indent + 1))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .text, .raw: true
        default: false
        }
    }
}
