import Foundation

/// Failing calls to the file system in a program, below a folder.
struct FailingCalls {
    /// Only calls below it fail.
    let folder: URL
    /// The failing call, from 1; 0 for none.
    let call: Int
    /// Error number; 0 kills the process at that call.
    let error: Int32
    /// Whether all later calls fail too.
    let isLasting: Bool
    /// Features that the file system lacks: `hard-links`, `exclusive-rename`, `exchange`, `unnamed-files`, `colons`.
    let lacking: [String]

    private static let library = Rawmill.program.deletingLastPathComponent().appending(path: "libfailing-calls.so").path
    private var log: URL { folder.deletingLastPathComponent().appending(path: "\(folder.lastPathComponent).calls") }

    init(below folder: URL, call: Int, error: Int32 = EIO, isLasting: Bool = false, lacking: [String] = []) {
        self.folder = folder
        self.call = call
        self.error = error
        self.isLasting = isLasting
        self.lacking = lacking
    }

    /// Starts the program with these failures.
    func start(_ arguments: [String]) throws -> Running {
        try? FileManager.default.removeItem(at: log)
        var environment = [
            "LD_PRELOAD": Self.library, "FAILING_CALLS_BELOW": folder.path, "FAILING_CALL": "\(call)",
            "FAILING_ERROR": "\(error)", "FAILING_CALLS_LOG": log.path,
        ]
        if isLasting { environment["FAILING_CALLS_AFTER"] = "yes" }
        if !lacking.isEmpty { environment["FAILING_CALLS_LACKING"] = lacking.joined(separator: " ") }
        return try Running(arguments, environment: environment)
    }

    /// The calls that failed; all calls if none was to fail.
    var calls: [String] {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}

extension FailingCalls: CustomStringConvertible {
    var description: String {
        let first = calls.first?.replacing(folder.path, with: "") ?? "none"
        let end = error == 0 ? "killed" : String(cString: strerror(error))
        return "call \(first): \(end)\(isLasting ? ", as every one after it" : "")"
    }
}
