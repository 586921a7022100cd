/// Why a cluster cannot be asked for something, as a sentence with its remedy.
package struct ControlError: Error, CustomStringConvertible {
    package let message: String

    package var description: String { message }

    init(_ message: String) { self.message = message }
}
