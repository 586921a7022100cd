import CommandLineTool
import Jobs
import Looks
import Manifests
import Storage

/// A look that a library received as a file or as the steps of a chain, and stores by its content.
enum LibraryLook {
    /// Reads the look.
    ///
    /// - Throws: `StorageError` if the library no longer has it, `LookError` if it is damaged.
    static func read(_ reference: LookReference, library: String) throws -> (look: Look, file: [UInt8]) {
        let file = try Root(path: library).contents(
            of: LibraryLayout.look(reference.digest).bytes, limitBytes: LookSelection.limitBytes)
        return (try Look(file: file, fileName: "\(reference.name).cube"), file)
    }

    static func summary(_ reference: LookReference, library: String) -> String {
        do { return try read(reference, library: library).look.summary } catch {
            return "cannot be read: \((error as? StorageError)?.cause.description ?? "\(error)")"
        }
    }
}
