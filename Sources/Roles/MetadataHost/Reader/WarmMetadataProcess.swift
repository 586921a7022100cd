internal import Clock
internal import Glibc
internal import Manifests
internal import Processes
internal import Records
internal import RenderHost
internal import Storage

enum MetadataFault: Hashable {
    /// It closed its channel or ended.
    case gone
    case late(Duration)
    case invalidAnswer
    case ended(ProcessEnd, limit: Duration)

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

/// A warm metadata process and its channel. The process ends with the value.
struct WarmMetadataProcess: ~Copyable {
    private var process: HostedProcess
    private(set) var hasAnswered = false

    private static let warmUpLimit = Duration.seconds(60)

    /// Starts it and waits until it is sandboxed.
    init(program: String, library: String) throws(MetadataReaderError) {
        do throws(HostedProcessError) {
            let starting = try HostedProcess(
                program: program, arguments: MetadataProcess.arguments(parent: getpid(), library: library))
            process = try starting.warm(within: Self.warmUpLimit)
        } catch {
            throw MetadataReaderError(description: error.description, isProgramMissing: error.isProgramMissing)
        }
    }

    /// Asks about at most `MetadataQuestions.maxCount` files, and appends the answers until one fails. Nil if all were
    /// answered; otherwise the process must not be asked again.
    mutating func read(
        _ files: ArraySlice<OpenedFile>, deadline: Duration, into answers: inout [MetadataAnswer]
    ) -> MetadataFault? {
        // The kernel's limit applies even if this process cannot check the clock.
        process.limitProcessorTime((ProcessorTime.used(by: process.pid) ?? .zero) + deadline)
        let message = MetadataQuestions(files.map(\.question)).encoded()
        guard process.channel.send(message, with: files.map(\.file.descriptor)) else { return .gone }
        for file in files {
            let reading = process.channel.receive(
                milliseconds: Int32(clamping: deadline.wholeMilliseconds), limit: RecordLimit.metadataReply)
            for descriptor in process.channel.takeDescriptors() { close(descriptor) }
            switch reading {
            case .message(let bytes):
                guard let reply = try? MetadataReply(record: bytes), reply.answers(file.question) else {
                    return .invalidAnswer
                }
                answers.append(MetadataAnswer(reply))
                hasAnswered = true
            case .nothingYet: return .late(deadline)
            case .ended: return .gone
            }
        }
        return nil
    }

    /// Ends the process, and returns the reason as a clause.
    consuming func end(_ fault: MetadataFault, deadline: Duration) -> String {
        guard case .gone = fault else {
            _ = process.kill()
            return fault.reason
        }
        return MetadataFault.ended(process.wait(), limit: deadline).reason
    }
}
