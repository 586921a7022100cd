import Arguments
import CommandLineTool
import Coordinator
import Digest
import Jobs
import Looks
import Manifests
internal import Spelling
import Storage
import Telemetry

/// The requested look: one of Rawmill's own, a user's by name or file (a table, a look in YAML), or a chain.
struct LookSelection {
    let look: Look
    /// The bytes of a look that is not built in: a LUT, or the steps of a chain; nil for one of Rawmill's own looks.
    let file: [UInt8]?

    static let limitBytes: UInt64 = 128 << 20

    static let builtInNames = LookCatalogue.builtIn.looks.map(\.name)

    /// A look that was read already.
    init(look: Look, file: [UInt8]) { (self.look, self.file) = (look, file) }

    /// Reads and checks a look before any work starts.
    ///
    /// - Parameters:
    ///   - adjustments: changes to the look.
    ///   - library: the folder whose own looks are known by name; nil for none.
    /// - Throws: `UsageError` with the file and the line.
    init(
        _ argument: PathArgument, _ adjustments: LookAdjustments, library: String?, source: SettingSource
    ) async throws {
        let text = argument.description
        let chain = adjustments.applied(
            to: try Self.explained(text, source) { () throws(LookError) in try LookChain(text) })
        if Self.isPath(argument.bytes), chain.isPlain {
            let given = try InputFile.read(
                argument.bytes, for: source.label("look"), limitBytes: Self.limitBytes, command: source.command)
            let bytes = try Self.explained(text, source) { () throws(LookError) in
                guard LookFile.isDefinition(given) else { return given }
                return try LookFile.whole(given, table: Self.tables(beside: argument.bytes))
            }
            look = try Self.look(bytes, named: text, source)
            file = bytes
            return
        }
        if chain.isPlain {
            do throws(UnknownLook) {
                look = try LookCatalogue.builtIn.look(text)
                file = nil
            } catch {
                guard let own = try await Self.ownLook(text, library: library, source) ?? Self.importedLook(text)
                else {
                    throw source.error("\(source.label("look")): \(Self.text(error)).")
                }
                (look, file) = own
            }
            return
        }
        var tables: [String: [UInt8]] = [:]
        for step in chain.steps where Self.isPath(Array(step.name.utf8)) {
            tables[step.name] = try InputFile.read(
                Array(step.name.utf8), for: source.label("look"), limitBytes: Self.limitBytes, command: source.command)
        }
        var own: [String: [UInt8]] = [:]
        for step in chain.steps where !Self.isPath(Array(step.name.utf8)) && !Self.isBuiltIn(step.name) {
            let found = try await Self.ownLook(step.name, library: library, source) ?? Self.importedLook(step.name)
            own[step.name] = found?.1
        }
        let bytes = try Self.explained(text, source) { () throws(LookError) in
            try chain.definition(own: own) { tables[$0] ?? [] }
        }
        look = try Self.look(bytes, named: text, source)
        file = bytes
    }

    private static func look(_ bytes: [UInt8], named name: String, _ source: SettingSource) throws(UsageError) -> Look {
        try explained(name, source) { () throws(LookError) in try Look(file: bytes, fileName: name) }
    }

    private static func explained<Value>(
        _ text: String, _ source: SettingSource, _ body: () throws(LookError) -> Value
    ) throws(UsageError) -> Value {
        do throws(LookError) { return try body() } catch {
            throw source.error("\(source.label("look")): \(TerminalText.escape(text)): \(error).")
        }
    }

    /// Suggests a look for an unknown name, and lists the versions for an unknown version.
    private static func text(_ error: UnknownLook) -> String {
        let name = error.requested.prefix { $0 != "@" }
        if builtInNames.contains(String(name)) { return "\(error)" }
        let near = Suggestion.nearest(to: String(name), among: builtInNames).map { " Did you mean \($0)?" } ?? ""
        return
            "there is no look \"\(TerminalText.escape(error.requested))\".\(near) `rawmill looks list` shows all looks"
    }

    /// A look that the library received as a file, by `NAME@VERSION`, or the newest version of `NAME`.
    private static func ownLook(
        _ text: String, library: String?, _ source: SettingSource
    ) async throws -> (Look, [UInt8])? {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let library, let ledger = try Ledger.existing(library: library) else { return nil }
        let versions = try await ledger.perform { try $0.looks.versions(of: parts[0]) }
        let found = parts.count == 1 ? versions.last : versions.first { "\($0.version)" == parts[1] }
        guard let found else {
            guard !versions.isEmpty else { return nil }
            let known = versions.map(\.description).joined(separator: ", ")
            throw source.error(
                "\(source.label("look")): there is no \(TerminalText.escape(text)); this library has \(known).")
        }
        do {
            let own = try LibraryLook.read(found, library: library)
            return (own.look, own.file)
        } catch let error as LookError {
            throw source.error("\(source.label("look")): \(TerminalText.escape(text)): \(error).")
        } catch let error as StorageError {
            throw CommandFailure(
                "the look \(found) is no longer in the library (\(error.cause)). Give its file or its steps again.")
        }
    }

    private static func importedLook(_ text: String) throws -> (Look, [UInt8])? {
        guard let folder = LookFolder(), let entry = try folder.entry(named: text) else { return nil }
        return try folder.read(entry)
    }

    /// Reads the tables that a look's file names, relative to its folder.
    static func tables(beside file: [UInt8]) -> (String) throws(LookError) -> [UInt8] {
        let folder = file.lastIndex(of: UInt8(ascii: "/")).map { Array(file[...$0]) } ?? []
        return { path throws(LookError) in
            let bytes = Array(path.utf8)
            do throws(UsageError) {
                return try InputFile.read(
                    bytes.first == UInt8(ascii: "/") ? bytes : folder + bytes, for: "table", limitBytes: limitBytes)
            } catch { throw LookError("\(error)") }
        }
    }

    var isUserLook: Bool { file != nil }

    private static func isBuiltIn(_ name: String) -> Bool {
        (try? LookCatalogue.builtIn.look(name)) != nil
            || CoreImageEffects.list.contains { $0.name.lowercased() == name.lowercased() }
    }

    /// A name has no slash and no extension of look files.
    private static func isPath(_ bytes: [UInt8]) -> Bool {
        let end = String(decoding: bytes.suffix(5), as: UTF8.self).lowercased()
        return bytes.contains(UInt8(ascii: "/")) || Look.fileEndings.contains(where: end.hasSuffix)
    }

    /// The look's name, version and content, as recipes name it. The ledger gives a user's look the version of the same
    /// content, or the next one.
    ///
    /// - Parameter recording: whether to write a new version to the ledger.
    func reference(in ledger: LedgerStore?, recording: Bool) throws -> LookReference {
        let highest = LookCatalogue.builtIn.looks.last { $0.name == look.name }?.version ?? 0
        if file != nil, look.hasOwnVersion { return try ownReference(in: ledger, recording: recording) }
        if file != nil, let ledger {
            return recording
                ? try ledger.looks.pin(name: look.name, digest: look.digest, above: highest)
                : try ledger.looks.reference(name: look.name, digest: look.digest, above: highest)
        }
        let version = file == nil ? look.version : highest + 1
        guard let reference = LookReference(name: look.name, version: version, digest: look.digest) else {
            throw CommandFailure("the look \(look.identifier) has an invalid name or version", status: ExitStatus.fault)
        }
        return reference
    }

    /// For a look with its own version. Recipes name it by that, so it must be the same look everywhere.
    private func ownReference(in ledger: LedgerStore?, recording: Bool) throws -> LookReference {
        guard let own = LookReference(name: look.name, version: look.version, digest: look.digest) else {
            throw CommandFailure("the look \(look.identifier) has an invalid name or version", status: ExitStatus.fault)
        }
        guard let ledger else { return own }
        let known = try ledger.looks.versions(of: look.name)
        if known.contains(own) { return own }
        if known.contains(where: { $0.version == own.version }) {
            throw LookFolder.conflict(look, next: (known.last?.version ?? look.version) + 1, in: "the ledger")
        }
        if let newest = known.last, newest.version > own.version {
            throw CommandFailure(
                "the ledger already has \(newest), and versions must increase: "
                    + "give \(look.identifier) version \(newest.version + 1).")
        }
        return recording
            ? try ledger.looks.pin(name: look.name, digest: look.digest, above: look.version - 1) : own
    }

    /// Stores a user's look in the library, where every render process finds it.
    func store(in library: Root) throws {
        guard let file else { return }
        _ = try library.publish(file, at: LibraryLayout.look(look.digest).bytes)
    }
}
