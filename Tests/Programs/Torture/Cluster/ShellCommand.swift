import CommandLineTool
import Glibc

/// Other programs, run to their end by the shell.
enum ShellCommand {
    /// - Returns: its output, errors included.
    /// - Throws: `CommandFailure` with its output if it fails.
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let line = ([program] + arguments).map(quoted).joined(separator: " ")
        guard let pipe = unsafe popen(line + " 2>&1", "re") else {
            throw CommandFailure("\(program) could not be started.")
        }
        var text = ""
        var bytes = [CChar](repeating: 0, count: 4096)
        while unsafe fgets(&bytes, Int32(bytes.count), pipe) != nil {
            text += String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        guard unsafe pclose(pipe) == 0 else {
            throw CommandFailure("\(program) \(arguments.first ?? "") failed: \(text)")
        }
        return text
    }

    /// The argument quoted for the shell.
    static func quoted(_ argument: String) -> String { "'" + argument.replacing("'", with: #"'\''"#) + "'" }
}
