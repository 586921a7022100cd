/// The values of a command's parameters, after parsing.
public struct ArgumentValues: Sendable {
    /// The names of the command, the program first: `["rawmill", "convert"]`.
    public let command: [String]
    private let byName: [String: any Sendable]
    private let origins: [String: RawArgument.Origin]

    init(command: [String], byName: [String: any Sendable], origins: [String: RawArgument.Origin] = [:]) {
        self.command = command
        self.byName = byName
        self.origins = origins
    }

    /// Where the parameter's value came from, or nil if it was not given and its default applies.
    public func origin(_ parameter: any AnyParameter) -> RawArgument.Origin? {
        origins[parameter.declaration.name]
    }

    /// The value of a parameter.
    ///
    /// Traps if the command does not declare the parameter, because that is a bug in the program.
    public subscript<Value>(parameter: Parameter<Value>) -> Value {
        guard let value = byName[parameter.declaration.name] as? Value else {
            preconditionFailure("\(parameter.declaration.label) is not declared by this command")
        }
        return value
    }
}

/// What a command line requests.
public enum Invocation: Sendable {
    /// Run a command with its values.
    case run(Command.Action, ArgumentValues)
    /// Show the help of the last command in this path. The root comes first.
    case help([Command])
    /// Show the version.
    case version
}
