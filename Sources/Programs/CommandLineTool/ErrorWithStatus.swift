/// An error that determines the exit status of a command.
package protocol ErrorWithStatus: Error, CustomStringConvertible {
    /// One of `ExitStatus`.
    var exitStatus: Int32 { get }
}
