package import Storage

/// Why a run cannot begin or go on: a sentence with its remedy.
package struct RunError: Error, CustomStringConvertible {
    package enum Cause {
        /// The caller named a folder that cannot be used.
        case caller
        /// Another process or the machine is in the way.
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

    /// - Parameter folder: the folder that has no ledger.
    package static func noLibrary(_ folder: String) -> RunError {
        RunError(
            "\(folder) is not a library yet. Give --library the folder of one; `rawmill convert` makes one.",
            cause: .caller)
    }

    package init(_ message: String, storage error: StorageError) { self.init(message, cause: .storage(error)) }
}
