internal import Glibc
internal import Storage

/// The location of a command-line source. Paths are absolute and real.
enum SourceLocation: Hashable, Sendable {
    case tree([UInt8])
    case file(folder: [UInt8], name: [UInt8])
    case problem(WalkProblem)

    /// - Parameter source: a path as given, relative to the current folder. Links are followed.
    init(_ source: [UInt8]) {
        do throws(StorageError) {
            let path = try RealPath.resolve(source)
            switch try FileFacts(absolutePath: path).kind {
            case .folder: self = .tree(path)
            case .file: self = path.parent.map { .file(folder: $0.folder, name: $0.name) } ?? .tree(path)
            case .link, .other, .unknown: self = .problem(WalkProblem(.special, path))
            }
        } catch {
            self = .problem(Self.problem(error))
        }
    }

    private static func problem(_ error: StorageError) -> WalkProblem {
        switch error.number {
        case ENOENT, ENOTDIR: WalkProblem(.missing, error.path)
        case ENAMETOOLONG: WalkProblem(.pathTooLong, error.path)
        default: WalkProblem(.unreadableFile, error.path, cause: error.systemMessage)
        }
    }

    var folder: [UInt8]? {
        switch self {
        case .tree(let path): path
        case .file(let folder, _): folder
        case .problem: nil
        }
    }
}
