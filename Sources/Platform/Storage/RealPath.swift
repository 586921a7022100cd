internal import Glibc

/// Paths without links, `.` and `..`.
public enum RealPath {
    /// The absolute path of a file, with all links resolved. `path` may be relative to the current folder. Throws
    /// `notFound`; `badPath` for a path with a zero byte.
    public static func resolve(_ path: [UInt8]) throws(StorageError) -> [UInt8] {
        guard !path.contains(0) else { throw StorageError(errno: EINVAL, "look at", path) }
        guard let found = unsafe path.withCString({ unsafe realpath($0, nil) }) else {
            throw StorageError(errno: errno, "look at", path)
        }
        defer { unsafe free(found) }
        return unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }

    /// Like `resolve`, but nil if the path cannot be resolved.
    public static func of(_ path: [UInt8]) -> [UInt8]? { try? resolve(path) }
}
