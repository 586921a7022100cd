internal import RenderHost

/// The process of the render program that reads the metadata of photos which other programs may have written, and does
/// nothing else. It can open nothing, so a hostile file harms this process alone.
///
/// The protocol on its channel, descriptor 3: it enters the sandbox of render processes, and says with an empty message that
/// it is warm, or with a sentence why it cannot get warm. Each message to it is one of `MetadataQuestions`, and brings a file
/// for each question. It answers each with a `MetadataReply`. It ends when the channel closes or its parent ends.
public enum MetadataProcess {
    /// The hidden subcommand that starts it.
    public static let command = "metadata-process"
    /// Path of the program that has it: the render program that is installed with the running one.
    public static var program: String { RenderProgram.best.path }

    /// The arguments after the program's name. Nothing secret is among them.
    ///
    /// - Parameters:
    ///   - parent: the process to end with.
    ///   - library: the library's folder. It only tells people whose process this is.
    static func arguments(parent: Int32, library: String) -> [String] { [command, "\(parent)", library] }
}
