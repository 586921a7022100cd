internal import Glibc

/// What a source of the command line is.
enum SourcePlace: Hashable, Sendable {
    /// Absolute and real.
    case tree([UInt8])
    case file(folder: [UInt8], name: [UInt8])
    case problem(WalkProblem)

    /// - Parameter source: a path as it was given, relative to the current folder. Links to it are followed.
    init(_ source: [UInt8]) {
        guard !source.contains(0), let path = source.realPath else {
            self = .problem(Self.problem(source, SystemError.last))
            return
        }
        var facts = stat()
        guard path.withCPath({ stat($0, &facts) }) == 0 else {
            self = .problem(Self.problem(path, SystemError.last))
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: self = .tree(path)
        case S_IFREG: self = path.parent.map { .file(folder: $0.folder, name: $0.name) } ?? .tree(path)
        default: self = .problem(WalkProblem(.special, path))
        }
    }

    private static func problem(_ path: [UInt8], _ error: SystemError) -> WalkProblem {
        switch error.number {
        case ENOENT, ENOTDIR: WalkProblem(.missing, path)
        case ENAMETOOLONG: WalkProblem(.pathTooLong, path)
        default: WalkProblem(.unreadableFile, path, cause: error.message)
        }
    }

    /// The folder to open for it.
    var folder: [UInt8]? {
        switch self {
        case .tree(let path): path
        case .file(let folder, _): folder
        case .problem: nil
        }
    }
}
