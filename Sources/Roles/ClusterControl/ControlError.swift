/// Why a command cannot be sent to a cluster, with the remedy.
package struct ControlError: Error, CustomStringConvertible {
    package let message: String

    package var description: String { message }

    init(_ message: String) { self.message = message }
}
