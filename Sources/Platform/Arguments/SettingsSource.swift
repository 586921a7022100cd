/// What a settings file gives for options: read where neither the command line nor the environment says anything.
public protocol SettingsSource {
    /// The values of an option of a command; empty for none.
    ///
    /// - Parameter command: its words, `["rawmill", "worker"]`.
    func given(_ declaration: Declaration, of command: [String]) throws(UsageError) -> [RawArgument]
}

extension Program {
    /// Opens the settings file that a command line asks for.
    ///
    /// - Parameter value: what was given, on the command line or in the environment, for an option every command takes.
    public typealias SettingsOpener =
        (_ value: (_ option: String) -> [UInt8]?) throws(UsageError) -> (any SettingsSource)?
}
