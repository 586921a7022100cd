import Jobs

/// What `rawmill version` says.
enum Version {
    static let number = "0.1.0"

    /// With the engine, which decides the pixels.
    static let text = "rawmill \(number) (engine \(Engine.version))"
}
