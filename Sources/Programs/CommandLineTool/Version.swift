internal import Jobs

package enum Version {
    package static let number = "0.2.0-dev"

    /// The program's version with the version of the engine, which decides the pixels.
    package static func text(of program: String) -> String { "\(program) \(number) (engine \(Engine.version))" }
}
