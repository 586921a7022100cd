import Arguments
import CommandLineTool
import Coordinator
import Digest
import Jobs
import Looks
import Manifests
import Storage
import Telemetry

/// The look that was asked for: one that comes with Rawmill, or a user's table.
struct LookSelection {
    let look: Look
    /// The bytes of the user's table; nil for a look of Rawmill's own.
    let cube: [UInt8]?

    static let builtInNames = LookCatalogue.builtIn.looks.map(\.name)

    /// Reads and checks a table before anything is started.
    ///
    /// - Throws: `UsageError` that names the file and the line.
    init(_ asked: PathArgument, command: [String]) throws {
        let text = asked.description
        guard Self.isPath(asked.bytes) else {
            do throws(UnknownLook) {
                look = try LookCatalogue.builtIn.look(text)
            } catch {
                throw UsageError("--look: \(error).", command: command)
            }
            cube = nil
            return
        }
        let bytes = try InputFile.read(asked.bytes, for: "--look", limitBytes: 128 << 20, command: command)
        do throws(CubeError) {
            look = try Look(cube: bytes, fileName: text)
        } catch {
            throw UsageError("--look: \(Printable.text(text)): \(error).", command: command)
        }
        cube = bytes
    }

    /// A table of the user's, not one that comes with Rawmill.
    var isOwn: Bool { cube != nil }

    /// A name has no slash and does not end in `.cube`.
    private static func isPath(_ bytes: [UInt8]) -> Bool {
        let end = String(decoding: bytes.suffix(5), as: UTF8.self).lowercased()
        return bytes.contains(UInt8(ascii: "/")) || end == ".cube"
    }

    /// The look's name, version and content, as recipes name it. A user's table gets the version that stands for its
    /// content in the ledger: the one it had before, or the next.
    ///
    /// - Parameter keeps: false only asks, and writes nothing.
    func reference(in ledger: LedgerStore?, keeps: Bool) throws -> LookReference {
        let highest = LookCatalogue.builtIn.looks.last { $0.name == look.name }?.version ?? 0
        if cube != nil, let ledger {
            return keeps
                ? try ledger.pinLook(name: look.name, digest: look.digest, above: highest)
                : try ledger.look(name: look.name, digest: look.digest, above: highest)
        }
        let version = cube == nil ? look.version : highest + 1
        guard let reference = LookReference(name: look.name, version: version, digest: look.digest) else {
            throw CommandFailure("the look \(look.identifier) cannot be named in a recipe", status: ExitStatus.fault)
        }
        return reference
    }

    /// Puts a user's table where every render process finds it.
    func store(in library: Root) throws {
        guard let cube else { return }
        _ = try library.publish(cube, at: LibraryLayout.look(look.digest).bytes)
    }
}
