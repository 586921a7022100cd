public import Telemetry

extension Logger {
    /// Says to people that a library's tables are brought up to date, before that begins: nothing else happens meanwhile.
    public func libraryIsUpdated(_ folder: String) {
        let message = """
            The tables of the library \(folder) are those of an earlier version. They are brought up to date, which takes some \
            seconds for a million photos; to interrupt it does no harm.
            """
        warning(.libraryUpdated, [.message: "\(message)"])
    }
}
