/// The options that a settings file sets. They apply if neither the command line nor the environment sets them.
public protocol SettingsSource {
    /// The arguments for an option of a command; empty for none.
    ///
    /// - Parameters:
    ///   - declaration: the option.
    ///   - command: the names of the command, the program first: `["rawmill", "worker"]`.
    /// - Throws: `UsageError` if the file has a mistake there.
    func given(_ declaration: Declaration, of command: [String]) throws(UsageError) -> [RawArgument]
}

extension Program {
    /// Opens the settings file; nil if there is none.
    ///
    /// - Parameter value: returns what the command line or the environment gives for an option that every command
    ///   takes. So an option can name the file.
    public typealias SettingsOpener =
        (_ value: (_ option: String) -> [UInt8]?) throws(UsageError) -> (any SettingsSource)?
}
