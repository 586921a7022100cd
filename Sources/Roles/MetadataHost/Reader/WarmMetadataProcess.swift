internal import Clock
internal import Glibc
internal import Processes
internal import RenderHost
internal import Storage

/// Why a metadata process is of no use any more.
enum MetadataFault: Hashable {
    /// It closed its channel, or is gone.
    case gone
    case late(Duration)
    case invalidAnswer
    case ended(ProcessEnd, limit: Duration)

    /// For people: a clause without a full stop.
    var reason: String {
        switch self {
        case .gone: "the reader ended"
        case .late(let limit), .ended(.signalled(SIGXCPU), let limit): "the reader did not answer within \(limit)"
        case .invalidAnswer: "the reader gave an invalid answer"
        case .ended(.signalled(SIGSYS), _): "the reader broke the rules of its sandbox"
        case .ended(.signalled(let signal), _): "the reader crashed (signal \(signal))"
        case .ended(.exited(let status), _): "the reader ended (status \(status))"
        }
    }
}

/// A metadata process that said it is warm, and the channel to it. It ends with the value.
struct WarmMetadataProcess: ~Copyable {
    private let child: ChildProcess
    private var channel: MessageChannel
    /// True once it has answered a question.
    private(set) var hasAnswered = false

    /// Longest time to get warm.
    private static let warmUpLimit = Duration.seconds(60)

    /// Starts it and waits until it is in its sandbox.
    init(program: String, library: String) throws(MetadataReaderError) {
        guard let (ours, theirs) = MessageChannel.pair() else {
            throw MetadataReaderError(description: "the system has no socket left")
        }
        var channel = MessageChannel(owning: ours)
        let child = try Self.start(program, library, channel: theirs)
        switch channel.receive(milliseconds: Int32(clamping: Self.warmUpLimit.wholeMilliseconds), limit: 1 << 16) {
        case .message([]): break
        case .message(let reason): throw MetadataReaderError(description: String(decoding: reason, as: UTF8.self))
        case .nothingYet: throw MetadataReaderError(description: "it did not get ready within \(Self.warmUpLimit)")
        case .ended: throw MetadataReaderError(description: "it ended at once (\(child.wait()))")
        }
        self.child = child
        self.channel = channel
    }

    /// - Parameter channel: the child's end, which is closed here.
    private static func start(
        _ program: String, _ library: String, channel: Int32
    ) throws(MetadataReaderError) -> ChildProcess {
        defer { close(channel) }
        do throws(SpawnError) {
            return try ChildProcess.start(
                program: program, arguments: MetadataProcess.arguments(parent: getpid(), library: library),
                channel: channel, inheritsStandardError: false, killHandle: ChildProcess.KillHandle(),
                passing: RenderProcessEnvironment.passes)
        } catch {
            throw MetadataReaderError(description: "\(error)")
        }
    }

    /// Asks about files, and appends the answers up to the first that does not come.
    ///
    /// - Parameters:
    ///   - files: at most `MetadataRequestMessage.maxFiles`.
    ///   - deadline: for each.
    /// - Returns: nil if all were answered. If not, the process must not be asked again.
    mutating func read(
        _ files: ArraySlice<OpenedFile>, deadline: Duration, into answers: inout [MetadataAnswer]
    ) -> MetadataFault? {
        // The kernel's own limit, should this process not come to look at the clock.
        child.limitProcessorTime((ProcessorTime.used(by: child.pid) ?? .zero) + deadline)
        let message = MetadataRequestMessage.encoded(files.map(\.question))
        guard channel.send(message, with: files.map(\.file.descriptor)) else { return .gone }
        for file in files {
            let reading = channel.receive(
                milliseconds: Int32(clamping: deadline.wholeMilliseconds), limit: MetadataAnswerMessage.limitBytes)
            for descriptor in channel.takeDescriptors() { close(descriptor) }
            switch reading {
            case .message(let bytes):
                guard let answer = try? MetadataAnswerMessage(bytes, to: file.question) else { return .invalidAnswer }
                answers.append(answer.answer)
                hasAnswered = true
            case .nothingYet: return .late(deadline)
            case .ended: return .gone
            }
        }
        return nil
    }

    /// Ends the process.
    ///
    /// - Parameter deadline: of the file.
    /// - Returns: what happened, for people.
    consuming func end(_ fault: MetadataFault, deadline: Duration) -> String {
        guard case .gone = fault else {
            _ = child.kill()
            return fault.reason
        }
        return MetadataFault.ended(child.wait(), limit: deadline).reason
    }
}
