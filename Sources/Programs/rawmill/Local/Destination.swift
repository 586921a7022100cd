import Arguments
import CommandLineTool
import Jobs
import Manifests
import Storage
import Worker

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
            let remedy = error.kind == .diskFull ? "Free some space, or give another --out" : "Give another --out"
            throw CommandFailure(
                "the folder \(path) cannot be written: \(error.cause). \(remedy).", status: CommandFailure.status(error)
            )
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

    /// For messages: the folder of ledger, broker and renditions.
    private var stateSubject: String {
        switch self {
        case .library(let folder): "the library \(folder)"
        case .folder(_, let state): "the state folder \(state)"
        }
    }

    /// An error of the files of ledger, broker and renditions, with the folder's name and what to do. Others stay as they are.
    func explained(_ error: any Error) -> any Error {
        switch error {
        case let error as StorageError:
            CommandFailure("\(stateSubject): \(error). \(error.remedy)", status: ExitStatus.fault)
        case WorkerError.storage(let failure) where failure.reason == .diskFull:
            CommandFailure(
                "\(stateSubject): the disk is full. Free some space and run the same command again; it carries on.",
                status: ExitStatus.fault)
        case WorkerError.storage(let failure):
            CommandFailure(
                "\(failure.message) Check mounts, disk and permissions, and run the same command again; it carries on.",
                status: ExitStatus.fault)
        default: error
        }
    }

    /// The folder of ledger, broker and renditions, made where there is none.
    ///
    /// - Throws: `CommandFailure` where it cannot be written.
    func writableState() throws -> Root {
        do throws(StorageError) {
            let root = try Root(path: state, creating: true)
            try root.probeWriting(in: Array(LibraryLayout.hidden.utf8))
            return root
        } catch {
            let other = isLibrary ? "--library" : "--state"
            let remedy =
                switch error.kind {
                case .diskFull, .unavailable: error.remedy
                default: "Check its permissions and the disk, or give another \(other)."
                }
            throw CommandFailure(
                "\(stateSubject) cannot be written: \(error.cause). \(remedy)", status: CommandFailure.status(error))
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
