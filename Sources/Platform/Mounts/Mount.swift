/// A mounted file system: a line of `/proc/self/mountinfo`, proc_pid_mountinfo(5).
public struct Mount: Hashable, Sendable {
    /// The directory of the file system that is mounted at `path`.
    public let root: String
    /// Mount point: absolute, without trailing slash unless it is `/`.
    public let path: [UInt8]
    /// The kernel's name of the type, such as `ext4`.
    public let kind: String
    /// Per-mount options.
    public let options: [String]
    /// Options of the file system, the same for all its mounts; empty if missing.
    public let fileSystemOptions: [String]

    /// Parses `36 35 98:0 /root /mount/point rw,noatime shared:1 - ext4 /dev/sda1 rw,errors=continue`. Any number of
    /// fields may precede the hyphen. Nil for a malformed line.
    public init?(_ line: Substring) {
        let fields = line.split(separator: " ")
        guard let hyphen = fields.firstIndex(of: "-"), hyphen >= 6, fields.count >= hyphen + 2 else { return nil }
        root = String(decoding: Self.unescaped(fields[3]), as: UTF8.self)
        path = Self.unescaped(fields[4])
        kind = String(fields[hyphen + 1])
        options = fields[5].split(separator: ",").map(String.init)
        fileSystemOptions = fields.dropFirst(hyphen + 3).first?.split(separator: ",").map(String.init) ?? []
    }

    /// The kernel escapes spaces, tabs, newlines and backslashes as octal numbers.
    private static func unescaped(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(3)
        }
        return bytes
    }
}
