import Pixels

/// Looks that are found by name.
public struct LookCatalogue: Sendable {
    /// Sorted by name, then version.
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

    /// The look called `NAME@VERSION`, or for `NAME` alone its newest version.
    ///
    /// - Throws: `UnknownLook` where there is none of that name or version.
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

/// The error of a look that is not in the catalogue.
public struct UnknownLook: Error, Equatable, CustomStringConvertible {
    /// The name that was looked for.
    public let requested: String
    /// The looks there are, or the versions of this one.
    public let known: [String]

    /// A sentence that names the looks there are.
    public var description: String {
        "there is no look \"\(requested)\"; use one of \(known.joined(separator: ", ")), or the path of a .cube file"
    }
}
