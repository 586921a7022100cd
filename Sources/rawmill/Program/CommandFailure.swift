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
        default: self.init("\(error)", status: ExitStatus.fault)
        }
    }
}
