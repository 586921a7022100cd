internal import Glibc

/// Tells a folder from all others, whatever its path.
struct FolderIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    /// Nil where nothing can be found there.
    init?(path: [UInt8]) {
        var facts = stat()
        guard path.withCPath({ stat($0, &facts) }) == 0 else { return nil }
        self.init(facts)
    }

    init(_ facts: stat) {
        device = UInt64(facts.st_dev)
        inode = UInt64(facts.st_ino)
    }
}

/// A folder that is open, to look at what is in it. No link is followed, neither to it nor in it.
final class OpenFolder {
    private let descriptor: Int32
    let identity: FolderIdentity

    private init(descriptor: Int32) throws(SystemError) {
        self.descriptor = descriptor
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            let error = SystemError.last
            _ = Glibc.close(descriptor)
            throw error
        }
        identity = FolderIdentity(facts)
    }

    deinit { _ = Glibc.close(descriptor) }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// - Parameter path: absolute and real.
    static func open(_ path: [UInt8]) throws(SystemError) -> OpenFolder {
        try from(path.withCPath { Glibc.open($0, flags) })
    }

    func open(_ name: [UInt8]) throws(SystemError) -> OpenFolder {
        try Self.from(name.withCPath { openat(descriptor, $0, Self.flags) })
    }

    private static func from(_ descriptor: Int32) throws(SystemError) -> OpenFolder {
        guard descriptor >= 0 else { throw SystemError.last }
        return try OpenFolder(descriptor: descriptor)
    }

    /// The file's own facts, a link's not its target's.
    func facts(of name: [UInt8], following: Bool = false) throws(SystemError) -> stat {
        var facts = stat()
        let code = name.withCPath { fstatat(descriptor, $0, &facts, following ? 0 : AT_SYMLINK_NOFOLLOW) }
        guard code == 0 else { throw SystemError.last }
        return facts
    }

    /// Nil where this process may read the file, as far as the system can tell.
    func refusal(of name: [UInt8]) -> SystemError? {
        name.withCPath { faccessat(descriptor, $0, R_OK, AT_EACCESS) } == 0 ? nil : .last
    }

    /// Hands over every entry but `.` and `..`, in the folder's own order.
    func list(_ body: (UnsafeBufferPointer<UInt8>, UInt8) throws(WalkError) -> Void) throws(WalkError) -> SystemError? {
        // Not opened anew by the name `.`, which a folder that may be read but not searched would refuse.
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return .last }
        guard let stream = fdopendir(own) else {
            let error = SystemError.last
            _ = Glibc.close(own)
            return error
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 ? nil : .last }
            let name = Self.name(of: entry)
            if name.first == .dot && (name.count == 1 || name.count == 2 && name[1] == .dot) { continue }
            try body(name, entry.pointee.d_type)
        }
    }

    /// The kernel's records are shorter than `dirent` says: only the name's own bytes may be touched.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> UnsafeBufferPointer<UInt8> {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
        let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(
            start: start, count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)))
    }
}

struct SystemError: Error, Hashable, Sendable {
    let number: Int32

    static var last: SystemError { SystemError(number: errno) }

    var message: String { systemMessage(number) }
}

extension [UInt8] {
    /// The bytes as the C string of a path. They hold no NUL: they come from the system or from a `RelativePath`.
    func withCPath<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { copy in
            for (index, byte) in enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[count] = 0
            return copy.withMemoryRebound(to: CChar.self) { memory in
                guard let start = memory.baseAddress else { return body("") }
                return body(UnsafePointer(start))
            }
        }
    }
}
