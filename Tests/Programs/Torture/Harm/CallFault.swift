import CommandLineTool
import Glibc
import Samples

/// A call to the file system that fails in a role, as a preloaded library has it (`CFailingCalls`).
struct CallFault {
    /// The number of the error; 0 kills the process in place of the call.
    let error: Int32
    /// Which call it is, from 1, of those to what is below a folder.
    let call: Int
    /// All calls after it fail, too: a disk that is broken, and not for a moment.
    let isLasting: Bool

    private static let errors = [EIO, ENOSPC, ESTALE, EACCES, EROFS, EMFILE, 0]

    /// Any of them: a role's start has some hundred calls, and the early ones are as likely as all the others.
    init(_ random: inout SplitMix64) {
        error = Self.errors.randomElement(using: &random) ?? EIO
        call = Int(exp2(Double.random(in: 0...11, using: &random)))
        isLasting = error != 0 && Int.random(in: 0..<3, using: &random) == 0
    }

    /// The environment that a program is started with so that it happens.
    ///
    /// - Parameter folder: calls to what is below it count.
    /// - Throws: `CommandFailure` where the library is not there.
    func environment(below folder: String) throws -> [String] {
        let library = try InstalledProgram.path(of: "libfailing-calls.so", in: [])
        return [
            "LD_PRELOAD=\(library)", "FAILING_CALLS_BELOW=\(folder)", "FAILING_CALL=\(call)", "FAILING_ERROR=\(error)",
        ] + (isLasting ? ["FAILING_CALLS_AFTER=yes"] : [])
    }
}

extension CallFault: CustomStringConvertible {
    var description: String {
        let what = error == 0 ? "it is killed" : unsafe String(cString: strerror(error))
        return "at call \(call)\(isLasting ? " and all after it" : ""): \(what)"
    }
}
