internal import Glibc

/// A failed file operation: a kind for programs, a sentence for users.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of failures.
    public enum Kind: Hashable, Sendable {
        case notFound
        /// The path leads out of its root: by `..`, as an absolute path, or through a link.
        case pathEscapesRoot
        case permissionDenied
        case readOnly
        case diskFull
        case exists
        /// Not a regular file or a folder, as required.
        case wrongKind
        case tooLarge
        /// Not the expected file, or it changed while being read.
        case changed
        case locked
        case badPath
        /// The disk, or the server that has it, failed.
        case unavailable
    }

    /// Kind of failure.
    public let kind: Kind
    /// The attempted action, as a verb: "open", "write".
    public let action: String
    /// Relative to its root, or the root's own path.
    public let path: [UInt8]
    /// `errno`; 0 if no system call failed.
    public let number: Int32
    /// For `locked`: the process that holds the lock, if known.
    public let holder: LockHolder?

    /// `action` is a verb, such as "open"; `number` is `errno`, or 0 if no system call failed.
    public init(_ kind: Kind, _ action: String, _ path: [UInt8], number: Int32 = 0, holder: LockHolder? = nil) {
        self.kind = kind
        self.action = action
        self.path = path
        self.number = number
        self.holder = holder
    }

    /// - Parameter number: `errno`, read right after the failed call.
    init(errno number: Int32, _ action: String, _ path: [UInt8]) {
        self.init(Self.kind(of: number), action, path, number: number)
    }

    private static func kind(of number: Int32) -> Kind {
        switch number {
        case ENOENT, ENOTDIR: .notFound
        // openat2 fails with EXDEV for a path that leaves the root, and with ELOOP for a link it must not follow.
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

    /// Whether the whole storage is unreachable, not only this file: a server does not respond, a disk was removed, or
    /// the system is out of descriptors or memory. A bad sector only affects one file.
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
        case .permissionDenied: "permission denied"
        case .readOnly: "the file system is read-only"
        case .diskFull: "the disk is full"
        case .exists: "it already exists"
        case .wrongKind: "it is not a regular file or folder"
        case .tooLarge where number == EFBIG: "it would exceed this process's file size limit (ulimit -f)"
        case .tooLarge: "it is too large"
        case .changed: "it changed"
        case .locked: "\(holder.map(\.description) ?? "another process") holds it"
        case .badPath where number == EINVAL: "its file system does not allow this name"
        case .badPath where number == ENAMETOOLONG: "its name is too long"
        case .badPath: "its name is not a valid path"
        case .unavailable where lacksDescriptors: "too many files are open"
        case .unavailable: "the disk or its server failed (\(systemMessage))"
        }
    }

    /// A general remedy, as a sentence.
    public var remedy: String {
        switch kind {
        case .diskFull: "Free some space and run the same command again; it continues."
        case .unavailable where lacksDescriptors:
            "Raise the limit of open files (ulimit -n, or LimitNOFILE= of a unit) and run the same command again."
        case .tooLarge where number == EFBIG:
            "Raise that limit (ulimit -f, or LimitFSIZE= of a unit) and run the same command again."
        default: "Check the folder, its disk and its permissions, and run the same command again."
        }
    }

    private var lacksDescriptors: Bool { number == EMFILE || number == ENFILE }

    /// The system's message for the error number, as in `ls`: "Permission denied".
    public var systemMessage: String {
        guard number != 0 else { return cause }
        var text = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Action, file and cause in one sentence, without a full stop.
    public var description: String {
        "cannot \(action) \"\(String(decoding: path, as: UTF8.self))\": \(cause)"
    }
}
