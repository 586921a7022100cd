/// What the program's end says to whoever started it.
enum ExitStatus {
    static let done: Int32 = 0
    /// Finished, but some files could not be done; the report names them.
    static let someFailed: Int32 = 3
    /// The command cannot be done as it was given.
    static let usage: Int32 = 64
    /// Rawmill, or the machine under it, could not go on. Nothing is lost; the same command carries on.
    static let fault: Int32 = 70
    /// Stopped by a signal; the same command carries on.
    static let interrupted: Int32 = 130
}
