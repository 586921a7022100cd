import Arguments
import CommandLineTool
import Jobs
import Runs
import Storage

extension RunDestination {
    /// The destination of the command line. Creates the folder of an export.
    ///
    /// - Throws: `UsageError` if both or neither are given; `CommandFailure` for a folder that cannot be created.
    init(_ values: ArgumentValues) throws {
        guard let out = values[ExportOptions.out] else {
            guard let library = values[ConvertOptions.library] ?? CurrentLibrary.folder else {
                throw UsageError(
                    "Give --out DIR for photos in a folder, or --library DIR for a library.", command: values.command)
            }
            self = .library(library)
            return
        }
        guard values.origin(ConvertOptions.library) != .commandLine else {
            throw UsageError("Give --out or --library, not both.", command: values.command)
        }
        guard values.origin(DatabaseOption.parameter) != .commandLine else {
            throw UsageError("--database needs a library: give --library instead of --out.", command: values.command)
        }
        guard values[ConvertOptions.originals].value == .reference else {
            throw UsageError("--originals needs a library: give --library instead of --out.", command: values.command)
        }
        let path = out.description
        do throws(StorageError) {
            try Root(path: path, creating: true).probeWriting()
        } catch {
            let remedy = error.kind == .diskFull ? "Free some space, or use another --out" : "Use another --out"
            throw CommandFailure(
                "the folder \(path) cannot be written: \(error.cause). \(remedy).", status: CommandFailure.status(error)
            )
        }
        let real = RealPath.of(out.bytes) ?? out.bytes
        self = .folder(
            String(decoding: real, as: UTF8.self), state: try ExportOptions.state(of: real, values))
    }
}
