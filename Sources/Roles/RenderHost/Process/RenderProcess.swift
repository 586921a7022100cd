/// The program that renders one job after another and does nothing else. Whatever a hostile file does to the process,
/// it does to one job.
///
/// The protocol on its channel, descriptor 3: the worker sends `RenderProcessOptions`, and with them the table of the look
/// that is expected. The process enters its sandbox, in which it can open nothing, and answers with an empty message when it
/// is warm, or with a sentence why it cannot get warm. With each `RenderRequest` come the job's files, open for reading. The
/// process asks for the files of each frame: `FrameQuestion`, to which the worker answers with empty files, open for writing,
/// and with what the library has already. At the end comes a `RenderReply`. The worker checks what was written, makes it
/// durable and names it, while the process is at the next job. It ends when the channel closes or its parent ends.
public enum RenderProcess {
    /// The hidden subcommand that starts it.
    public static let command = "render-process"

    /// The arguments after the program's name.
    ///
    /// Nothing secret is among them, because every user of the machine sees them in the list of processes: options go
    /// over the channel.
    ///
    /// - Parameters:
    ///   - parent: the process to end with.
    ///   - library: the library's folder. It only tells people whose process this is.
    public static func arguments(parent: Int32, library: String) -> [String] { [command, "\(parent)", library] }
}
