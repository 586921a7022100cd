import CommandLineTool
import Glibc
import Samples

/// A failing call to the file system in a role, caused by a preloaded library (`CFailingCalls`).
struct CallFault {
    /// Error number; 0 kills the process instead of the call.
    let error: Int32
    /// Number of the call, from 1, among those below a folder.
    let call: Int
    /// Whether all later calls fail too: a broken disk, not a temporary fault.
    let isLasting: Bool

    private static let errors = [EIO, ENOSPC, ESTALE, EACCES, EROFS, EMFILE, 0]

    /// Any call: a role's start has some hundred calls, and the early ones are as likely as all later ones.
    init(_ random: inout SplitMix64) {
        error = Self.errors.randomElement(using: &random) ?? EIO
        call = Int(exp2(Double.random(in: 0...11, using: &random)))
        isLasting = error != 0 && Int.random(in: 0..<3, using: &random) == 0
    }

    /// The environment that causes the fault in a program.
    ///
    /// - Parameter folder: calls below it count.
    /// - Throws: `CommandFailure` if the library is missing.
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
