import Arguments
import CommandLineTool
import Looks
import Telemetry

enum LooksLintCommand {
    static let files: Parameter<[PathArgument]> = .positionals(
        "FILE", completion: .files, help: "Looks in YAML, .cube tables, or Hald images (PNG).")

    static let command: Command = Command(
        "lint", summary: "Check look files without importing them.",
        discussion: """
            Exit status: 0 all are valid, 3 some are not.
            """,
        parameters: [files, LooksCommand.json]
    ) { values in
        var status = ExitStatus.done
        for file in values[files] {
            let shown = TerminalText.escape(file.description)
            let bytes = try InputFile.read(
                file.bytes, for: "FILE", limitBytes: LookSelection.limitBytes, command: values.command)
            do throws(LookError) {
                let (facts, warnings) = try report(bytes, file)
                write(shown, facts, warnings, values)
            } catch {
                status = ExitStatus.someFailed
                if values[LooksCommand.json] {
                    TextOutput.standardOutput.write(line: object(shown, [], [], problem: error.description))
                } else {
                    TextOutput.standardError.write(line: "\(shown): \(TerminalText.escape(error.description))")
                }
            }
        }
        return status
    }

    private typealias Fact = (name: String, value: String)

    private static func report(_ bytes: [UInt8], _ file: PathArgument) throws(LookError) -> ([Fact], [String]) {
        guard LookFile.isDefinition(bytes) else {
            let report = try TableReport(bytes, fileName: file.description)
            return (report.facts.map { ($0.name, $0.value) }, report.warnings)
        }
        let whole = try LookFile.whole(bytes, table: LookSelection.tables(beside: file.bytes))
        let look = try Look(file: whole, fileName: "look")
        return (
            [
                ("format", "look"), ("name", look.hasOwnVersion ? look.identifier : look.name),
                ("summary", look.summary), ("SHA-256", "\(look.digest)"),
            ], []
        )
    }

    private static func write(_ file: String, _ facts: [Fact], _ warnings: [String], _ values: ArgumentValues) {
        if values[LooksCommand.json] {
            return TextOutput.standardOutput.write(line: object(file, facts, warnings, problem: nil))
        }
        TextOutput.standardOutput.write(line: file)
        for fact in facts {
            let padding = String(repeating: " ", count: max(1, 11 - fact.name.count))
            TextOutput.standardOutput.write(line: "  \(fact.name)\(padding)\(TerminalText.escape(fact.value))")
        }
        for warning in warnings {
            TextOutput.standardOutput.write(line: "  note       \(TerminalText.escape(warning))")
        }
    }

    private static func object(_ file: String, _ facts: [Fact], _ warnings: [String], problem: String?) -> String {
        var fields = JSONFields([("file", file)] + facts.map { ($0.name, $0.value) })
        if !warnings.isEmpty { fields += ["notes": warnings.joined(separator: " ")] }
        if let problem { fields += ["problem": problem] }
        return JSONWriter.line(fields)
    }
}
