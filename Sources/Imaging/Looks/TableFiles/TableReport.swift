import PNG

/// Description of a look's file for users, as `rawmill looks lint` prints it.
public struct TableReport: Hashable, Sendable {
    /// A property of the file.
    public struct Fact: Hashable, Sendable {
        /// One or two words.
        public let name: String
        /// The value, as a clause.
        public let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Facts, one per line, with the name first: `3-D table`, `33 points an edge`.
    public let facts: [Fact]
    /// Ambiguities in the file and how they were resolved, one sentence each.
    public let warnings: [String]

    /// - Parameters:
    ///   - bytes: of a `.cube` file or Hald picture.
    ///   - fileName: a possible hint at the colours.
    /// - Throws: `LookError` with problem and place.
    public init(_ bytes: [UInt8], fileName: String) throws(LookError) {
        let table = try LookupTable(bytes)
        var facts: [Fact] = []
        var warnings: [String] = []
        let isHald = HaldPicture.isOne(bytes)
        facts.append(Fact("format", isHald ? "Hald picture (PNG)" : "cube"))
        if let curves = table.curves {
            facts.append(Fact("1-D table", "\(curves.size) points, inputs \(Self.text(curves.domain))"))
        }
        if let cube = table.cube {
            facts.append(Fact("3-D table", "\(cube.size) points an edge, inputs \(Self.text(cube.domain))"))
        }
        let values = table.cube?.values ?? table.curves?.values ?? []
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        facts.append(Fact("values", "\(low) to \(high)"))
        if low < 0 || high > 1 {
            warnings.append("Values outside 0…1 are clipped where the table is the last step.")
        }
        if isHald, let picture = try? PNGPicture(bytes) {
            facts.append(Fact("bits", "\(picture.bits)"))
            if picture.paletteColours > 0 {
                facts.append(Fact("palette", "\(picture.paletteColours) colours"))
                warnings.append(
                    "The picture has a palette: if the program that saved it reduced its colours, the look is coarse.")
            }
            if picture.hasProfile {
                warnings.append(
                    "The picture's ICC profile is ignored: state its colours with --input-space.")
            }
        }
        let title = isHald ? "" : Self.title(bytes)
        if !title.isEmpty { facts.append(Fact("title", title)) }
        if let (word, space) = TableSpace.hinted(by: fileName + " " + title), space != .sRGB {
            warnings.append(
                space.map { "Its name or title mentions \(word): --input-space \($0.rawValue) may be meant." }
                    ?? "Its name or title mentions \(word), which is not one of \(TableSpace.list): the colours may be wrong."
            )
        }
        self.facts = facts
        self.warnings = warnings
    }

    private static func text(_ domain: LookupTable.Domain) -> String {
        let (low, high) = (domain.minimum, domain.maximum)
        if low == SIMD3(repeating: low.x), high == SIMD3(repeating: high.x) { return "\(low.x) to \(high.x)" }
        return "\(low.x) \(low.y) \(low.z) to \(high.x) \(high.y) \(high.z)"
    }

    /// The text after TITLE, without characters that a terminal would interpret.
    private static func title(_ bytes: [UInt8]) -> String {
        let lines = bytes.prefix(1 << 14).split { $0 == 0x0A || $0 == 0x0D }
        guard let line = lines.first(where: { String(decoding: $0.prefix(6), as: UTF8.self).uppercased() == "TITLE " })
        else { return "" }
        let text = String(decoding: line.dropFirst(6).prefix(200), as: UTF8.self)
        return String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
            .trimmed
    }
}

extension String {
    /// Without blanks and quotation marks at both ends.
    fileprivate var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\"" }
        var text = self[...]
        while let first = text.first, isBlank(first) { text = text.dropFirst() }
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return String(text)
    }
}
