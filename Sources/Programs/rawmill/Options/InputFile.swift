import Arguments
import CommandLineTool
import Glibc
import Storage
import Telemetry

/// Reads a file that is given by its path from the current folder.
enum InputFile {
    /// Links are followed: the file is the caller's own choice.
    ///
    /// - Parameter option: what it was given for, for the error.
    static func read(
        _ path: [UInt8], for option: String, limitBytes: UInt64, command: [String] = []
    ) throws(UsageError) -> [UInt8] {
        guard let real = RealPath.of(path), let slash = real.lastIndex(of: UInt8(ascii: "/")) else {
            throw refused(path, option, String(cString: strerror(errno)), command)
        }
        do throws(StorageError) {
            let folder = slash == real.startIndex ? "/" : String(decoding: real[..<slash], as: UTF8.self)
            return try Root(path: folder).contents(of: Array(real[(slash + 1)...]), limitBytes: limitBytes)
        } catch {
            throw refused(path, option, error.cause, command)
        }
    }

    private static func refused(
        _ path: [UInt8], _ option: String, _ cause: String, _ command: [String]
    ) -> UsageError {
        UsageError("\(option): cannot read \(Printable.text(path)): \(cause).", command: command)
    }
}
