/// A mounted file system: a line of `/proc/self/mountinfo`, proc_pid_mountinfo(5).
public struct Mount: Hashable, Sendable {
    /// The path in the file system that is shown at `path`.
    public let root: String
    /// Where it is mounted: absolute, and without a slash at its end unless it is the root.
    public let path: [UInt8]
    /// The kernel's name for its kind, `ext4`.
    public let kind: String
    /// Of the mount.
    public let options: [String]
    /// Of the file system, the same at all of its mounts; empty if the line ends before.
    public let fileSystemOptions: [String]

    /// Reads `36 35 98:0 /root /mount/point rw,noatime shared:1 - ext4 /dev/sda1 rw,errors=continue`. Any number of fields
    /// may stand before the hyphen.
    ///
    /// - Returns: nil for a line that is none.
    public init?(_ line: Substring) {
        let fields = line.split(separator: " ")
        guard let hyphen = fields.firstIndex(of: "-"), hyphen >= 6, fields.count >= hyphen + 2 else { return nil }
        root = String(decoding: Self.unescaped(fields[3]), as: UTF8.self)
        path = Self.unescaped(fields[4])
        kind = String(fields[hyphen + 1])
        options = fields[5].split(separator: ",").map(String.init)
        fileSystemOptions = fields.dropFirst(hyphen + 3).first?.split(separator: ",").map(String.init) ?? []
    }

    /// Spaces, tabs, line ends and backslashes are octal numbers there.
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
