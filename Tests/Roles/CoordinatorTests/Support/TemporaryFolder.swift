import Foundation
import Glibc

/// A temporary folder with a real path, removed with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/rawmill-XXXXXX"
        var name = template.utf8CString.map { $0 }
        guard mkdtemp(&name) != nil, let real = realpath(name, nil) else { throw POSIXError(.EIO) }
        defer { free(real) }
        path = String(cString: real)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var bytes: [UInt8] { Array(path.utf8) }

    /// Creates a file and the folders above it.
    ///
    /// - Returns: its path.
    @discardableResult
    func file(_ relative: String, _ contents: String = "x") throws -> String {
        try file(bytes: Array(relative.utf8), contents)
        return "\(path)/\(relative)"
    }

    func file(bytes relative: [UInt8], _ contents: String = "x") throws {
        var parts = relative.split(separator: UInt8(ascii: "/"))
        parts.removeLast()
        var folder = bytes
        for part in parts {
            folder += [UInt8(ascii: "/")] + part
            mkdir(folder.map(CChar.init(bitPattern:)) + [0], 0o777)
        }
        let name = (bytes + [UInt8(ascii: "/")] + relative).map(CChar.init(bitPattern:)) + [0]
        let descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        _ = write(descriptor, contents, contents.utf8.count)
        close(descriptor)
    }

    @discardableResult
    func folder(_ relative: String) throws -> String {
        let path = "\(self.path)/\(relative)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    func link(_ relative: String, to target: String) {
        symlink(target, "\(path)/\(relative)")
    }

    /// Sets a file's modification time, in seconds since 1970.
    func touch(_ relative: String, seconds: Int) {
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        utimensat(AT_FDCWD, "\(path)/\(relative)", &times, 0)
    }
}

/// Runs `body` on this thread without superuser rights, which would override file permissions.
func withoutPrivileges<Value>(_ body: () throws -> Value) throws -> Value {
    guard geteuid() == 0 else { return try body() }
    typealias SetUser = @convention(c) (UInt32) -> Int32
    guard let symbol = dlsym(nil, "setfsuid") else { throw POSIXError(.ENOSYS) }
    let setUser = unsafeBitCast(symbol, to: SetUser.self)
    _ = setUser(65534)
    defer { _ = setUser(0) }
    return try body()
}
