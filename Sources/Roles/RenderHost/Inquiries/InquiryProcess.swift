/// The render program as one that answers a single inquiry, see `RenderInquiry`.
public enum InquiryProcess {
    /// The hidden subcommand by which the program answers one inquiry: on descriptor 3 it receives the inquiry, and sends the
    /// answer. Before it reads foreign bytes it enters the sandbox.
    public static let command = "inquiry-process"

    /// The arguments after the program's name.
    ///
    /// - Parameter parent: the process to end with.
    static func arguments(parent: Int32) -> [String] { [command, "\(parent)"] }
}
