import Glibc

/// The command line and the environment as the system has them: bytes, not repaired to UTF-8.
enum CommandLineBytes {
    /// Without the program's own name.
    static var arguments: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in CommandLine.unsafeArgv[index].map(bytes) }
    }

    static func environment(_ name: String) -> [UInt8]? { getenv(name).map(bytes) }

    private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
