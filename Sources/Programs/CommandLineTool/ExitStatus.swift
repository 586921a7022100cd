/// What a program's exit status says to the process that started it.
package enum ExitStatus {
    package static let done: Int32 = 0
    /// Finished, but some files failed. The report names them.
    package static let someFailed: Int32 = 3
    /// The command cannot be carried out as it was given.
    package static let usage: Int32 = 64
    /// Rawmill or the machine could not go on. Nothing is lost; the same command continues.
    package static let fault: Int32 = 70
    /// Stopped by a signal. The same command continues.
    package static let interrupted: Int32 = 130
}
