internal import Glibc
internal import Storage

/// The command line and the environment in the system's bytes, not repaired to UTF-8.
package enum CommandLineBytes {
    /// The arguments without the program's name.
    package static var arguments: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in unsafe CommandLine.unsafeArgv[index].map(unsafe bytes)
        }
    }

    /// The value of an environment variable; nil if it is not set.
    package static func environment(_ name: String) -> [UInt8]? { unsafe getenv(name).map(unsafe bytes) }

    /// The folder for temporary files: `$TMPDIR` if that is an absolute path, else `/tmp`; links are resolved as far as
    /// it exists.
    package static var temporaryFolder: String {
        let given = environment("TMPDIR").flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil }
        return RealPath.of(given ?? Array("/tmp".utf8)).map { String(decoding: $0, as: UTF8.self) } ?? "/tmp"
    }

    /// The variables that are valid UTF-8. Others are left out, because a repaired value is a different value.
    package static var environment: [String: String] {
        var all: [String: String] = [:]
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            if let text = unsafe String(validating: bytes(variable), as: UTF8.self),
                let equals = text.firstIndex(of: "=")
            {
                all[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            unsafe next += 1
        }
        return all
    }

    private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
