import Arguments
import Coordinator
import Digest
import Glibc
import Jobs
import Looks
import Manifests
import Storage
import Telemetry

/// The look that was asked for: one that comes with Rawmill, or a user's table.
struct LookChoice {
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
        let bytes = try CubeBytes.read(asked.bytes, command: command)
        do throws(CubeError) {
            look = try Look(cube: bytes, fileName: text)
        } catch {
            throw UsageError("--look: \(Printable.text(text)): \(error).", command: command)
        }
        cube = bytes
    }

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

/// Reads a file that is given by its path from the current folder.
enum CubeBytes {
    private static let largest: UInt64 = 128 << 20

    /// Links are followed: the file is the caller's own choice.
    static func read(_ path: [UInt8], command: [String]) throws -> [UInt8] {
        guard let real = realPath(path), let slash = real.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            throw refused(path, String(cString: strerror(errno)), command)
        }
        do throws(StorageError) {
            let root = try Root(path: slash == real.startIndex ? "/" : String(real[..<slash]))
            return try root.contents(of: Array(real.utf8[real.utf8.index(after: slash)...]), limitBytes: largest)
        } catch {
            throw refused(path, error.cause, command)
        }
    }

    private static func refused(_ path: [UInt8], _ cause: String, _ command: [String]) -> UsageError {
        UsageError("--look: cannot read \(Printable.text(path)): \(cause).", command: command)
    }

    private static func realPath(_ path: [UInt8]) -> String? {
        let text = path.map(CChar.init(bitPattern:)) + [0]
        guard let found = realpath(text, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
