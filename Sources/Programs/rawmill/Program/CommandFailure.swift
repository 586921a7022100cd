import Library

/// Why a command ended early: a sentence for people with its remedy, and the exit status.
struct CommandFailure: Error {
    let message: String
    let status: Int32

    init(_ message: String, status: Int32 = ExitStatus.usage) {
        self.message = message
        self.status = status
    }

    /// Any error that reached the command line. The modules' errors describe themselves for people.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as LibraryError: self.init(error.description, status: Self.status(error.kind))
        default: self.init("\(error)", status: ExitStatus.fault)
        }
    }

    /// A folder that is no library, or not to be had now, is for the caller to put right.
    private static func status(_ kind: LibraryError.Kind) -> Int32 {
        switch kind {
        case .notFound, .busy, .newer, .older: ExitStatus.usage
        case .diskFull, .damaged, .unavailable: ExitStatus.fault
        }
    }
}
