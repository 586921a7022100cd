internal import RenderHost

/// The process that only reads metadata of photos that other programs may have written. It cannot open files, so a
/// hostile photo harms this process alone.
///
/// Protocol on its channel, descriptor 3: it enters the sandbox of render processes, then sends an empty message when
/// it is warm, or the reason if it fails. Each message to it is a `MetadataQuestions` with one file per question. It
/// answers each question with a `MetadataReply`. It ends when the channel closes or its parent ends.
public enum MetadataProcess {
    /// The hidden subcommand that starts it.
    public static let command = "metadata-process"
    /// Path of the program that runs it: the render program installed with the running one.
    public static var program: String { RenderProgram.best.path }

    /// The arguments after the program's name, without secrets: the process to end with, and the library's folder,
    /// which only identifies the process to users.
    static func arguments(parent: Int32, library: String) -> [String] { [command, "\(parent)", library] }
}
