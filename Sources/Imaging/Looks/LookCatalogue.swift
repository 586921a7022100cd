import Pixels

/// The looks that can be asked for by name.
public struct LookCatalogue: Sendable {
    /// By name, then version.
    public let looks: [Look]

    /// The looks that come with the program.
    public static let builtIn = LookCatalogue(looks: [
        Look(
            name: "neutral", version: 1, summary: "The plain rendering: natural colour, film-like highlights.",
            input: .display, definition: Array("neutral".utf8), effect: IdentityStage()),
        Look(
            name: "mono", version: 1, summary: "Black and white, contrast as in the colour picture.",
            input: .display, definition: Array(Monochrome.definition.utf8), effect: Monochrome()),
        Look(
            name: "sepia", version: 1, summary: "Monochrome in the brown of a toned print; strength is its intensity.",
            input: .display, definition: Array(Sepia.definition.utf8), effect: Sepia()),
        Look(
            name: "invert", version: 1, summary: "The negative of the picture.",
            input: .display, definition: Array(Invert.definition.utf8), effect: Invert()),
    ])

    init(looks: [Look]) {
        self.looks = looks.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
    }

    /// The look called `NAME@VERSION`, or the newest version of `NAME`.
    public func look(_ text: String) throws(UnknownLook) -> Look {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let named = looks.filter { $0.name == parts[0] }
        guard let newest = named.last else { throw UnknownLook(asked: text, known: names) }
        if parts.count == 1 { return newest }
        guard let version = UInt32(parts[1]), let look = named.first(where: { $0.version == version }) else {
            throw UnknownLook(asked: text, known: named.map(\.identifier))
        }
        return look
    }

    private var names: [String] { looks.map(\.identifier) }
}

/// A look that is not in the catalogue.
public struct UnknownLook: Error, Equatable, CustomStringConvertible {
    public let asked: String
    /// What could have been meant.
    public let known: [String]

    public var description: String {
        "there is no look \"\(asked)\"; use one of \(known.joined(separator: ", ")), or the path of a .cube file"
    }
}
