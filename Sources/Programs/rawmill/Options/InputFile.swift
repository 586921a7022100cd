import Arguments
import CommandLineTool
import Glibc
import Storage
import Telemetry

enum InputFile {
    /// Follows links, because the user chose the file.
    ///
    /// - Parameter option: the option that names it, for the error message.
    static func read(
        _ path: [UInt8], for option: String, limitBytes: UInt64, command: [String] = []
    ) throws(UsageError) -> [UInt8] {
        guard let real = RealPath.of(path), let slash = real.lastIndex(of: UInt8(ascii: "/")) else {
            throw unsafe unreadable(path, option, String(cString: strerror(errno)), command)
        }
        do throws(StorageError) {
            let folder = slash == real.startIndex ? "/" : String(decoding: real[..<slash], as: UTF8.self)
            return try Root(path: folder).contents(of: Array(real[(slash + 1)...]), limitBytes: limitBytes)
        } catch {
            throw unreadable(path, option, error.cause, command)
        }
    }

    private static func unreadable(
        _ path: [UInt8], _ option: String, _ cause: String, _ command: [String]
    ) -> UsageError {
        UsageError("\(option): cannot read \(TerminalText.escape(path)): \(cause).", command: command)
    }
}
