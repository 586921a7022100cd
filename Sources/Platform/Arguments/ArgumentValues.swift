/// What was given, by parameter.
public struct ArgumentValues: Sendable {
    /// The words of the command: `["rawmill", "convert"]`.
    public let command: [String]
    private let byName: [String: any Sendable]
    private let origins: [String: RawArgument.Origin]

    init(command: [String], byName: [String: any Sendable], origins: [String: RawArgument.Origin] = [:]) {
        self.command = command
        self.byName = byName
        self.origins = origins
    }

    /// Where the parameter was given; nil where it was not.
    public func origin<Value>(_ parameter: Parameter<Value>) -> RawArgument.Origin? {
        origins[parameter.declaration.name]
    }

    /// Asking for a parameter the command does not declare is a mistake in the program, and traps.
    public subscript<Value>(parameter: Parameter<Value>) -> Value {
        guard let value = byName[parameter.declaration.name] as? Value else {
            preconditionFailure("\(parameter.declaration.label) is not declared by this command")
        }
        return value
    }
}

/// What a command line asks for.
public enum Invocation: Sendable {
    case run(Command.Action, ArgumentValues)
    /// Help for the command at the end of this path.
    case help([Command])
    case version
}
