/// A look imported from a file: a table, or steps in YAML with the tables they name.
public struct ImportedLook: Sendable {
    /// The look itself.
    public let look: Look
    /// Self-contained bytes, which ``Look/init(file:fileName:)`` reads.
    public let bytes: [UInt8]
    /// Ambiguities in the file and how they were resolved, one sentence each.
    public let warnings: [String]

    /// - Parameters:
    ///   - file: the bytes of a `.cube` file, a Hald picture, or a look in YAML.
    ///   - fileName: source of a table's name, and a hint at its colours.
    ///   - changes: values that override the file's.
    ///   - space: input colours of a table; nil if not given.
    ///   - table: reads the table at a path that the look names.
    /// - Throws: `LookError` with problem and place.
    public init(
        _ file: [UInt8], fileName: String, changes: LookFile.Changes = LookFile.Changes(), space: TableSpace? = nil,
        table: (String) throws(LookError) -> [UInt8]
    ) throws(LookError) {
        if LookFile.isDefinition(file) {
            guard space == nil else {
                throw LookError(
                    "--input-space only applies to tables; this look sets input-space for each of its tables")
            }
            warnings = []
            bytes = try Self.definition(file, changes, table)
        } else {
            warnings = try Self.warnings(file, fileName, space)
            let base = fileName.split(separator: "/").last.map(String.init) ?? fileName
            bytes = try LookFile.whole(
                table: file, name: changes.name ?? Self.plainName(fileName), version: changes.version ?? 1,
                summary: changes.summary ?? "The table of \(base).", space: space ?? .sRGB)
        }
        look = try Look(file: bytes, fileName: "look")
        try Self.check(name: look.name)
    }

    /// A definition with a version, which imported looks need.
    private static func definition(
        _ file: [UInt8], _ changes: LookFile.Changes, _ table: (String) throws(LookError) -> [UInt8]
    ) throws(LookError) -> [UInt8] {
        let own = try LookFile.whole(file, changes: changes, table: table)
        if try Look(file: own, fileName: "look").hasOwnVersion { return own }
        var changes = changes
        changes.version = 1
        return try LookFile.whole(file, changes: changes, table: table)
    }

    private static func warnings(
        _ file: [UInt8], _ fileName: String, _ space: TableSpace?
    ) throws(LookError) -> [String] {
        let report = try TableReport(file, fileName: fileName)
        guard space == nil else { return report.warnings.filter { !$0.contains("--input-space") } }
        return [
            "The file does not state its input colours: assuming \(TableSpace.sRGB.explanation). "
                + "--input-space sets others."
        ] + report.warnings
    }

    /// A name without the gaps that brackets and blanks leave: `Warm Print (v2).cube` becomes `warm-print-v2`.
    private static func plainName(_ fileName: String) -> String {
        let words = Look.name(fromFile: fileName).split(separator: "-")
        return words.isEmpty ? "table" : words.joined(separator: "-")
    }

    /// Refuses names that already mean another look, because they would never be found.
    private static func check(name: String) throws(LookError) {
        if LookCatalogue.builtIn.looks.contains(where: { $0.name == name })
            || CoreImageEffects.list.contains(where: { $0.name.lowercased() == name })
        {
            throw LookError("\(name) is a built-in look: choose another --name")
        }
    }
}
