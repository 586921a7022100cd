internal import Glibc
internal import Manifests
internal import Metadata
public import MetadataHost
internal import Processes
internal import Records
internal import RenderHost
internal import Sandbox

extension MetadataProcess {
    /// Address space for the program, its libraries and a heap. A packet has at most 64 KiB.
    private static let addressSpaceBytes: UInt64 = 1 << 30

    /// Answers questions until the parent exits, and returns the exit status, of sysexits.h. `arguments` follow the
    /// subcommand; `beforeReading` receives each file's first bytes, for fault injection.
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
        while case .message(let bytes) = channel.receive(milliseconds: -1, limit: RecordLimit.metadataQuestions) {
            let files = channel.takeDescriptors()
            defer { for file in files { close(file) } }
            guard let questions = try? MetadataQuestions(record: bytes).questions, questions.count == files.count else {
                return EX_PROTOCOL
            }
            for (question, file) in zip(questions, files) {
                guard channel.send(reader.answer(question, about: file).encoded()) else { return EX_OK }
            }
        }
        return EX_OK
    }
}
