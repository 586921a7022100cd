import Arguments
import CommandLineTool
import Jobs
import Storage

/// Where the photos of a local run go: into a library, or into a folder without one.
enum Destination {
    /// The library's folder.
    case library(String)
    /// A person's folder, and the state folder that takes a library's part while photos are on their way.
    case folder(String, state: String)

    /// What the command line asks for. Makes the folder of an export.
    ///
    /// - Throws: `UsageError` where both are given or neither; `CommandFailure` for a folder that cannot be made.
    init(_ values: ArgumentValues) throws {
        guard let out = values[ExportOptions.out] else {
            guard let library = values[ConvertOptions.library] else {
                throw UsageError(
                    "Give --out DIR for JPEGs in a folder, or --library DIR for a library.", command: values.command)
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
            throw CommandFailure("the folder \(path) cannot be written: \(error.cause). Give another --out.")
        }
        let real = RealPath.of(out.bytes) ?? out.bytes
        self = .folder(
            String(decoding: real, as: UTF8.self), state: try ExportOptions.state(of: real, values))
    }

    /// The folder of ledger, broker and renditions.
    var state: String {
        switch self {
        case .library(let folder), .folder(_, state: let folder): folder
        }
    }

    /// Whether a library is kept.
    var isLibrary: Bool { if case .library = self { true } else { false } }

    /// For messages: which folder is in use.
    var subject: String {
        switch self {
        case .library(let folder): "the library \(folder)"
        case .folder(let folder, _): "the folder \(folder)"
        }
    }

    /// The option that names another one.
    var option: String {
        switch self {
        case .library: "--library"
        case .folder: "--out"
        }
    }
}
