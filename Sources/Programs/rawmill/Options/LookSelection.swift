import Arguments
import CommandLineTool
import Coordinator
import Digest
import Jobs
import Looks
import Manifests
import Storage
import Telemetry

/// The look that the command line selects: one of Rawmill's own, or a user's LUT (a .cube file).
struct LookSelection {
    let look: Look
    /// The bytes of the user's LUT; nil for one of Rawmill's own looks.
    let cube: [UInt8]?

    static let builtInNames = LookCatalogue.builtIn.looks.map(\.name)

    /// Reads and checks a LUT before anything is started.
    ///
    /// - Throws: `UsageError` that names the file and the line.
    init(_ argument: PathArgument, command: [String]) throws {
        let text = argument.description
        guard Self.isPath(argument.bytes) else {
            do throws(UnknownLook) {
                look = try LookCatalogue.builtIn.look(text)
            } catch {
                throw UsageError("--look: \(error).", command: command)
            }
            cube = nil
            return
        }
        let bytes = try InputFile.read(argument.bytes, for: "--look", limitBytes: 128 << 20, command: command)
        do throws(CubeError) {
            look = try Look(cube: bytes, fileName: text)
        } catch {
            throw UsageError("--look: \(TerminalText.escape(text)): \(error).", command: command)
        }
        cube = bytes
    }

    /// Whether it is a LUT of the user's.
    var isUserLook: Bool { cube != nil }

    /// A name has no slash and does not end in `.cube`.
    private static func isPath(_ bytes: [UInt8]) -> Bool {
        let end = String(decoding: bytes.suffix(5), as: UTF8.self).lowercased()
        return bytes.contains(UInt8(ascii: "/")) || end == ".cube"
    }

    /// The look's name, version and content, as recipes name it. A user's LUT gets the version that its content has in the
    /// ledger: the one it had before, or the next.
    ///
    /// - Parameter recording: whether a new version is written to the ledger.
    func reference(in ledger: LedgerStore?, recording: Bool) throws -> LookReference {
        let highest = LookCatalogue.builtIn.looks.last { $0.name == look.name }?.version ?? 0
        if cube != nil, let ledger {
            return recording
                ? try ledger.looks.pin(name: look.name, digest: look.digest, above: highest)
                : try ledger.looks.reference(name: look.name, digest: look.digest, above: highest)
        }
        let version = cube == nil ? look.version : highest + 1
        guard let reference = LookReference(name: look.name, version: version, digest: look.digest) else {
            throw CommandFailure("the look \(look.identifier) cannot be named in a recipe", status: ExitStatus.fault)
        }
        return reference
    }

    /// Stores a user's LUT in the library, where every render process finds it.
    func store(in library: Root) throws {
        guard let cube else { return }
        _ = try library.publish(cube, at: LibraryLayout.look(look.digest).bytes)
    }
}
