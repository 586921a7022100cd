internal import Glibc

/// What went wrong with a file: the kind for programs, a sentence for people.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case notFound
        /// The path leads out of its root: by `..`, as an absolute path, or through a link.
        case pathEscapesRoot
        case permissionDenied
        case readOnly
        case diskFull
        case exists
        /// Neither a regular file where one is needed, nor a folder where one is.
        case wrongKind
        case tooLarge
        /// Not the file that was expected, or it changed while it was read.
        case changed
        /// Another process holds the lock.
        case locked
        /// The name cannot be a path.
        case badPath
        /// The disk or the server under it failed.
        case unavailable
    }

    public let kind: Kind
    /// What was tried, as a verb: "open", "write".
    public let action: String
    /// Relative to its root, or the root's own path.
    public let path: [UInt8]
    /// The system's error number; 0 where the system did not fail.
    public let number: Int32
    /// The process that holds the lock, for `locked`.
    public let holder: Int32?

    public init(_ kind: Kind, _ action: String, _ path: [UInt8], number: Int32 = 0, holder: Int32? = nil) {
        self.kind = kind
        self.action = action
        self.path = path
        self.number = number
        self.holder = holder
    }

    /// From `errno`, right after the call that set it.
    init(errno number: Int32, _ action: String, _ path: [UInt8]) {
        self.init(Self.kind(of: number), action, path, number: number)
    }

    private static func kind(of number: Int32) -> Kind {
        switch number {
        case ENOENT, ENOTDIR: .notFound
        // openat2 says EXDEV for a path that leaves the root and ELOOP for a link it must not follow.
        case EXDEV, ELOOP: .pathEscapesRoot
        case EACCES, EPERM: .permissionDenied
        case EROFS: .readOnly
        case ENOSPC, EDQUOT: .diskFull
        case EEXIST, ENOTEMPTY: .exists
        case EISDIR: .wrongKind
        case EFBIG, EOVERFLOW: .tooLarge
        case ENAMETOOLONG, EINVAL: .badPath
        default: .unavailable
        }
    }

    /// True where not this file but all that lies with it cannot be had: a server that does not answer, a disk that was
    /// taken out, a system that has no descriptor or memory left. A damaged sector is not: that concerns one file.
    public var isStorageGone: Bool {
        switch number {
        case ESTALE, ENOTCONN, ENODEV, ENXIO, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH, ETIMEDOUT, ECONNREFUSED,
            ECONNRESET, ESHUTDOWN, EMFILE, ENFILE, ENOMEM:
            true
        default: false
        }
    }

    /// What happened, without the file's name: "the disk is full".
    public var cause: String {
        switch kind {
        case .notFound where number == ENOTDIR: "it is not a folder, or lies below a file"
        case .notFound: "it does not exist"
        case .pathEscapesRoot: "its path leads out of its folder"
        case .permissionDenied: "permission was denied"
        case .readOnly: "the file system is read-only"
        case .diskFull: "the disk is full"
        case .exists: "it exists already"
        case .wrongKind: "it is not a regular file or folder"
        case .tooLarge: "it is too large"
        case .changed: "it changed"
        case .locked: "another process\(holder.map { " (pid \($0))" } ?? "") holds it"
        case .badPath: "its name cannot be a path"
        case .unavailable: "the disk or its server failed (\(String(cString: strerror(number))))"
        }
    }

    public var description: String {
        "cannot \(action) \"\(String(decoding: path, as: UTF8.self))\": \(cause)"
    }
}
