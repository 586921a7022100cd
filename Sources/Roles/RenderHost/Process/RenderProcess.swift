/// The program that only renders, one job after another. A hostile file can harm this process and its job alone.
///
/// Protocol on its channel, descriptor 3: the worker sends `RenderProcessOptions` with the table of the expected look.
/// The process enters its sandbox, in which it cannot open files, and sends an empty message when it is warm, or the
/// reason if it fails. Each `RenderRequest` comes with the job's files, open for reading. For each frame the process
/// sends a `FrameQuestion`; the worker answers with empty files, open for writing, and with the library's existing
/// files. At the end the process sends a `RenderReply`. The worker checks the written files, makes them durable and
/// names them while the process renders the next job. The process ends when the channel closes or its parent ends.
public enum RenderProcess {
    /// The hidden subcommand that starts it.
    public static let command = "render-process"

    /// The arguments after the program's name. They contain no secrets, because every user of the machine can list
    /// them: options go over the channel. The library's folder only identifies the process to users.
    public static func arguments(parent: Int32, library: String) -> [String] { [command, "\(parent)", library] }
}
