/// An error of a role that says with which status a command ends that meets it.
package protocol ErrorWithStatus: Error, CustomStringConvertible {
    /// One of `ExitStatus`.
    var exitStatus: Int32 { get }
}
