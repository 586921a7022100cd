import Pixels

/// Looks by name.
public struct LookCatalogue: Sendable {
    /// Sorted by name, then version.
    public let looks: [Look]

    /// The built-in looks.
    public static let builtIn = LookCatalogue(looks: plain + films)

    private static let plain: [Look] = [
        Look(
            name: "neutral", version: 1, summary: "The plain rendering: natural colour, film-like highlights.",
            input: .display, definition: Array("neutral".utf8), effect: IdentityStage()),
        Look(
            name: "mono", version: 1, summary: "Black and white, contrast as in the colour picture.",
            input: .display, definition: Array(Monochrome.definition.utf8), effect: Monochrome()),
        filtered("yellow", .yellow, "skies a little darker"),
        filtered("orange", .orange, "clouds stand out, skin is smooth"),
        filtered("red", .red, "the darkest skies"),
        filtered("green", .green, "leaves lighter, lips darker"),
        toned("sepia", 1, .yellowSepia, "the yellow brown of earlier versions"),
        toned("sepia", 2, .sepia, "the warm brown of a sulphide-toned print"),
        toned("selenium", 1, .selenium, "the cool purple brown of a selenium-toned print"),
        toned("cyanotype", 1, .cyanotype, "the blue of an iron print"),
        Look(
            name: "invert", version: 1, summary: "The negative of the picture.",
            input: .display, definition: Array(Invert.definition.utf8), effect: Invert()),
    ]

    private static func filtered(_ colour: String, _ effect: FilteredMonochrome, _ summary: String) -> Look {
        Look(
            name: "mono-\(colour)", version: 1, summary: "Black and white as through \(colour) glass: \(summary).",
            input: .display, definition: Array(effect.definition.utf8), effect: effect)
    }

    private static func toned(_ name: String, _ version: UInt32, _ effect: Toning, _ summary: String) -> Look {
        Look(
            name: name, version: version, summary: "Monochrome in \(summary); strength is its intensity.",
            input: .display, definition: Array(effect.definition(of: name).utf8), effect: effect)
    }

    init(looks: [Look]) {
        self.looks = looks.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
    }

    /// The look `NAME@VERSION`, or the newest version of `NAME`.
    ///
    /// - Throws: `UnknownLook` if there is no such name or version.
    public func look(_ text: String) throws(UnknownLook) -> Look {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let named = looks.filter { $0.name == parts[0] }
        guard let newest = named.last else { throw UnknownLook(requested: text, known: names) }
        if parts.count == 1 { return newest }
        guard let version = UInt32(parts[1]), let look = named.first(where: { $0.version == version }) else {
            throw UnknownLook(requested: text, known: named.map(\.identifier))
        }
        return look
    }

    private var names: [String] { looks.map(\.identifier) }
}

/// The error for a look that is not in the catalogue.
public struct UnknownLook: Error, Equatable, CustomStringConvertible {
    /// The requested name.
    public let requested: String
    /// The known looks, or the known versions of this one.
    public let known: [String]

    /// A sentence that lists the known looks.
    public var description: String {
        "there is no look \"\(requested)\"; use one of \(known.joined(separator: ", ")), a look that you imported, "
            + "or a file (.cube, .png, .yaml)"
    }
}
