/// The parsed values of a command's parameters.
public struct ArgumentValues: Sendable {
    /// Names from the program to the command: `["rawmill", "convert"]`.
    public let command: [String]
    private let byName: [String: any Sendable]
    private let origins: [String: RawArgument.Origin]

    init(command: [String], byName: [String: any Sendable], origins: [String: RawArgument.Origin] = [:]) {
        self.command = command
        self.byName = byName
        self.origins = origins
    }

    /// Where a parameter's value came from; nil if its default applies.
    public func origin(_ parameter: any AnyParameter) -> RawArgument.Origin? {
        origins[parameter.declaration.name]
    }

    /// The value of a parameter. Traps if the command does not declare it.
    public subscript<Value>(parameter: Parameter<Value>) -> Value {
        guard let value = byName[parameter.declaration.name] as? Value else {
            preconditionFailure("\(parameter.declaration.label) is not declared by this command")
        }
        return value
    }
}

/// What a command line requests.
public enum Invocation: Sendable {
    case run(Command.Action, ArgumentValues)
    /// Show the help of the last command in this path, which starts with the root.
    case help([Command])
    case version
}
