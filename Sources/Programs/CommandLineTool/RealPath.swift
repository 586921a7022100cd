internal import Glibc

package enum RealPath {
    /// Absolute, with no link in it; nil where there is nothing, with `errno` set.
    package static func of(_ path: [UInt8]) -> [UInt8]? {
        guard !path.contains(0) else { return nil }
        let text = path.map(CChar.init(bitPattern:)) + [0]
        guard let found = realpath(text, nil) else { return nil }
        defer { free(found) }
        return Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }
}
