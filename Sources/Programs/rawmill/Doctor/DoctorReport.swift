import CommandLineTool
import Jobs
import Processes
import RenderHost
import Sandbox
import Storage
import Telemetry
import Worker

enum DoctorReport {
    // MARK: Text

    static func lines(_ examination: Examination, _ findings: [Finding], on terminal: Terminal) -> [String] {
        var rows = [
            ("rawmill", "\(Version.number), engine \(Engine.version), \(examination.program)"),
            ("render program", text(examination.renderProgram.program)),
        ]
        rows += machine(examination.machine)
        rows.append(("sandbox", text(examination.sandbox)))
        rows.append(("lenses", examination.knownLenses.map { "\($0) known" } ?? "none known"))
        rows += examination.library.map(folder) ?? []
        rows += examination.libraries.map { ($0.name, text($0)) }
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        let table = rows.map { TerminalText.escape($0.padding(toColumns: width) + $1) }
        let sentences = findings.map { finding in
            let weight = finding.weight
            return (weight == .problem ? Style.red : .yellow).apply(weight.rawValue, on: terminal)
                + TerminalText.escape("  \(finding.subject): \(finding.message)")
        }
        return table + [""]
            + (sentences.isEmpty ? [Style.green.apply("No problems.", on: terminal)] : sentences)
    }

    private static func text(_ program: RenderProgram) -> String {
        "\(program.path)\(program.level == nil ? ", for any processor" : "")"
    }

    private static func text(_ library: LoadedLibrary) -> String {
        [library.version, library.file].compactMap(\.self).joined(separator: "  ")
    }

    private static func text(_ sandbox: SandboxFeatures) -> String {
        let layers = [
            "resource limits", "no new privileges", "no capabilities",
            sandbox.seccomp ? "seccomp" : nil,
            sandbox.landlockVersion > 0 ? "Landlock \(sandbox.landlockVersion)" : nil,
        ]
        return layers.compactMap(\.self).joined(separator: ", ")
    }

    private static func machine(_ machine: MachineFacts) -> [(String, String)] {
        let level = machine.processorLevel == 0 ? "" : ", x86-64-v\(machine.processorLevel)"
        let processorLimit = machine.processorLimit.map { ", of which control groups allow \($0)" } ?? ""
        let memoryLimit =
            machine.memoryLimitBytes.map { ", of which control groups allow \(NumberText.bytes($0))" } ?? ""
        let available = machine.availableBytes.map { ", \(NumberText.bytes($0)) available" } ?? ""
        let clock =
            machine.clockIsSynchronised.map { $0 ? "synchronised" : "not synchronised" } ?? "unknown"
        return [
            ("system", "\(machine.system ?? "unknown"), Linux \(machine.kernel)"),
            ("processors", "\(machine.processors)\(level)\(processorLimit)"),
            ("memory", "\(NumberText.bytes(machine.memoryBytes))\(memoryLimit)\(available)"),
            ("at once", SummaryText.counted(machine.slots, "render")), ("clock", clock),
        ]
    }

    private static func folder(_ folder: FolderFacts) -> [(String, String)] {
        var rows = [("library", folder.path)]
        if let facts = folder.fileSystem {
            let kind = facts.kind.isEmpty ? "unknown" : facts.kind
            let network = facts.isNetwork ? ", a network's" : ""
            let place = facts.mountPoint.isEmpty ? "" : ", at \(facts.mountPoint)"
            let free = "\(NumberText.bytes(facts.freeBytes)) of \(NumberText.bytes(facts.totalBytes)) free"
            rows.append(("file system", "\(kind)\(network)\(place), \(free)"))
        }
        if let abilities = folder.abilities {
            let named = abilities.named.filter(\.has).map(\.text)
            rows.append(("features", named.isEmpty ? "none" : named.joined(separator: ", ")))
        }
        return rows
    }

    // MARK: JSON

    static func writeJSON(_ examination: Examination, _ findings: [Finding], to output: TextOutput) {
        output.write(
            event: "program",
            [
                "version": Version.number,
                "engine": Engine.version,
                "path": examination.program,
                "renderProgram": examination.renderProgram.program.path,
                "renderLevel": examination.renderProgram.program.level,
                "lenses": examination.knownLenses,
            ])
        for library in examination.libraries {
            output.write(
                event: "dependency",
                [
                    "name": library.name,
                    "version": library.version,
                    "file": library.file,
                ])
        }
        output.write(event: "machine", fields(examination.machine))
        output.write(
            event: "sandbox",
            [
                "noNewPrivileges": true,
                "noCapabilities": true,
                "seccomp": examination.sandbox.seccomp,
                "landlock": examination.sandbox.landlockVersion,
            ])
        if let library = examination.library { output.write(event: "folder", fields(library)) }
        for finding in findings {
            output.write(
                event: "finding",
                [
                    "weight": finding.weight.rawValue,
                    "subject": finding.subject,
                    "message": finding.message,
                ])
        }
    }

    private static func fields(_ machine: MachineFacts) -> JSONFields {
        [
            "system": machine.system, "kernel": machine.kernel, "processorLevel": machine.processorLevel,
            "processors": machine.processors, "processorLimit": machine.processorLimit,
            "memoryBytes": machine.memoryBytes, "memoryLimitBytes": machine.memoryLimitBytes,
            "availableBytes": machine.availableBytes, "renders": machine.slots,
            "clockSynchronised": machine.clockIsSynchronised,
        ]
    }

    private static func fields(_ folder: FolderFacts) -> JSONFields {
        let system = folder.fileSystem
        let abilities = FolderAbilities.names.map { ability in
            (ability.name, folder.abilities?[keyPath: ability.path])
        }
        return [
            "path": folder.path, "fileSystem": system?.kind, "network": system?.isNetwork,
            "freeBytes": system?.freeBytes, "totalBytes": system?.totalBytes,
        ] + JSONFields(abilities)
    }
}

extension FolderAbilities {
    fileprivate static var names: [(name: String, text: String, path: KeyPath<FolderAbilities, Bool>)] {
        [
            ("locks", "locks", \.locks), ("hardLinks", "hard links", \.hardLinks),
            ("unnamedFiles", "unnamed files", \.unnamedFiles),
            ("exclusiveRename", "renaming without replacing", \.exclusiveRename),
            ("exchange", "swapping names", \.exchange), ("reflink", "copies that share space", \.reflink),
        ]
    }

    fileprivate var named: [(text: String, has: Bool)] { Self.names.map { ($0.text, self[keyPath: $0.path]) } }
}

extension String {
    fileprivate func padding(toColumns count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
