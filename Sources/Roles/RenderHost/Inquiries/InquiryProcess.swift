/// A run of the render program that answers a single `RenderInquiry`.
public enum InquiryProcess {
    /// The hidden subcommand. The program receives the inquiry on descriptor 3 and sends the answer there. It enters
    /// the sandbox before it reads foreign bytes.
    public static let command = "inquiry-process"

    /// The arguments after the program's name, with the process to end with.
    static func arguments(parent: Int32) -> [String] { [command, "\(parent)"] }
}
