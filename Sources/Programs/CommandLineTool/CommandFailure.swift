internal import Library

/// Why a command ended early: a sentence for people with its remedy, and the exit status.
package struct CommandFailure: Error {
    package let message: String
    package let status: Int32

    package init(_ message: String, status: Int32 = ExitStatus.usage) {
        self.message = message
        self.status = status
    }

    /// Wraps an error that reached the command line. The modules' errors describe themselves for people.
    package init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as LibraryError: self.init(error.description, status: Self.status(error.kind))
        default: self.init("\(error)", status: ExitStatus.fault)
        }
    }

    /// The caller can put right a folder that is no library, or that is not available now.
    private static func status(_ kind: LibraryError.Kind) -> Int32 {
        switch kind {
        case .notFound, .busy, .newer, .older: ExitStatus.usage
        case .diskFull, .damaged, .unavailable: ExitStatus.fault
        }
    }
}
