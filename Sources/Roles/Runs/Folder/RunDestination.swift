internal import Jobs
internal import Manifests
package import Storage
internal import Worker

/// The place of a local run's photos: a library, or a folder without one.
package enum RunDestination {
    /// The library's folder.
    case library(String)
    /// A user's folder, and the state folder with ledger, broker and renditions.
    case folder(String, state: String)

    /// The folder of ledger, broker and renditions.
    package var state: String {
        switch self {
        case .library(let folder), .folder(_, state: let folder): folder
        }
    }

    var photos: String {
        switch self {
        case .library(let folder): "\(folder)/\(LibraryLayout.photos)"
        case .folder(let folder, _): folder
        }
    }

    package var isLibrary: Bool { if case .library = self { true } else { false } }

    /// The photos' folder, for messages.
    package var subject: String {
        switch self {
        case .library(let folder): "the library \(folder)"
        case .folder(let folder, _): "the folder \(folder)"
        }
    }

    /// The folder of ledger, broker and renditions, for messages.
    private var stateSubject: String {
        switch self {
        case .library(let folder): "the library \(folder)"
        case .folder(_, let state): "the state folder \(state)"
        }
    }

    /// Adds folder and remedy to an error in the files of ledger, broker or renditions. Returns any other error
    /// unchanged.
    package func explained(_ error: any Error) -> any Error {
        switch error {
        case let error as StorageError:
            RunError("\(stateSubject): \(error). \(error.remedy)")
        case WorkerError.storage(let failure) where failure.reason == .diskFull:
            RunError(
                "\(stateSubject): the disk is full. Free some space and run the same command again; it continues.")
        case WorkerError.storage(let failure):
            RunError(
                "\(failure.message) Check mounts, disk and permissions, and run the same command again; it continues.")
        default: error
        }
    }

    /// The folder of ledger, broker and renditions, created if missing. Throws `RunError` if it cannot be written.
    package func writableState() throws -> Root {
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
            throw RunError("\(stateSubject) cannot be written: \(error.cause). \(remedy)", storage: error)
        }
    }

    /// The option that names the place.
    package var option: String {
        switch self {
        case .library: "--library"
        case .folder: "--out"
        }
    }
}
