internal import Glibc
internal import Metadata
internal import Processes
internal import RenderHost
internal import Sandbox

/// The process that reads the metadata of photos which other programs may have written, and does nothing else. Whatever a
/// hostile file does to it, it does to one process that can open nothing.
///
/// The protocol on its channel, descriptor 3: it enters the sandbox of render processes, and says with an empty message that
/// it is warm, or with a sentence why it cannot get warm. Each message to it has a byte for each question, and brings the
/// files. It answers each question with one message. It ends when the channel closes or its parent ends.
public enum MetadataProcess {
    /// The hidden subcommand that starts it.
    public static let command = "metadata-process"
    /// The running program, which has the subcommand too.
    public static let runningProgram = "/proc/self/exe"

    /// Address space: the program and its libraries, and a heap. A packet has at most 64 KiB.
    private static let addressSpaceBytes: UInt64 = 1 << 30

    /// The arguments after the program's name. Nothing secret is among them.
    ///
    /// - Parameters:
    ///   - parent: the process to end with.
    ///   - library: the library's folder. It only tells people whose process this is.
    static func arguments(parent: Int32, library: String) -> [String] { [command, "\(parent)", library] }

    /// Answers until the parent is gone.
    ///
    /// - Parameters:
    ///   - arguments: what follows the subcommand.
    ///   - beforeReading: gets each file's first bytes. For programs that inject faults.
    /// - Returns: the process's exit status, of sysexits.h.
    public static func run(_ arguments: [String], beforeReading: @escaping ([UInt8]) -> Void = { _ in }) -> Int32 {
        guard arguments.count == 2, let parent = Int32(arguments[0]) else { return EX_USAGE }
        guard CurrentProcess.endWithParent(parent) else { return EX_OK }
        CurrentProcess.raiseOOMScore()
        CurrentProcess.keepFreedMemory()
        var channel = MessageChannel(owning: MessageChannel.inheritedDescriptor)
        let reader: PhotoReader
        do {
            reader = PhotoReader(toolkit: try XMPToolkit(), beforeReading: beforeReading)
            try RenderSandbox.enter(addressSpaceBytes: addressSpaceBytes, maxFileBytes: 0)
        } catch {
            _ = channel.send(Array("\(error)".utf8))
            return EX_SOFTWARE
        }
        guard channel.send([]) else { return EX_OK }
        while case .message(let bytes) = channel.receive(milliseconds: -1, limit: MetadataRequestMessage.limitBytes) {
            let files = channel.takeDescriptors()
            defer { for file in files { close(file) } }
            guard let questions = MetadataRequestMessage.questions(bytes), questions.count == files.count else {
                return EX_PROTOCOL
            }
            for (question, file) in zip(questions, files) {
                guard channel.send(reader.answer(question, about: file).encoded()) else { return EX_OK }
            }
        }
        return EX_OK
    }
}
