/// The options set in a settings file, which apply if neither the command line nor the environment sets them.
public protocol SettingsSource {
    /// The arguments for an option of a command, given by its names: `["rawmill", "worker"]`. Throws `UsageError` for a
    /// mistake in the file.
    func given(_ declaration: Declaration, of command: [String]) throws(UsageError) -> [RawArgument]
}

extension Program {
    /// Opens the settings file; nil if there is none. `value` returns a global option from the command line or the
    /// environment, so that an option can name the file.
    public typealias SettingsOpener =
        (_ value: (_ option: String) -> [UInt8]?) throws(UsageError) -> (any SettingsSource)?
}
