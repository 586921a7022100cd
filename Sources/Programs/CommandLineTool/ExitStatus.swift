package enum ExitStatus {
    package static let done: Int32 = 0
    /// Finished, but some files failed. The report names them.
    package static let someFailed: Int32 = 3
    /// The command is invalid.
    package static let usage: Int32 = 64
    /// Rawmill or the machine cannot continue. Nothing is lost; the same command continues.
    package static let fault: Int32 = 70
    /// Stopped by a signal. The same command continues.
    package static let interrupted: Int32 = 130
}
