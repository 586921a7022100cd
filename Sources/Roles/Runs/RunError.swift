package import Storage

/// Why a run cannot begin or continue, with the remedy.
package struct RunError: Error, CustomStringConvertible {
    package enum Cause {
        /// The command line names an unusable folder.
        case caller
        case machine
        case storage(StorageError)
    }

    package let message: String
    package let cause: Cause

    package var description: String { message }

    package init(_ message: String, cause: Cause = .machine) {
        self.message = message
        self.cause = cause
    }

    /// - Parameter folder: the folder without a ledger.
    package static func noLibrary(_ folder: String) -> RunError {
        RunError(
            "\(folder) is not a library. Correct --library, or create one with `rawmill convert`.",
            cause: .caller)
    }

    package init(_ message: String, storage error: StorageError) { self.init(message, cause: .storage(error)) }
}
