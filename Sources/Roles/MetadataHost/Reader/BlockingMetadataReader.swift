internal import Glibc
internal import Manifests
internal import RenderHost
internal import Storage

/// Reads metadata of photos that other programs may have written, in a sandboxed process. This process opens the files,
/// passes them on, and checks the answers.
///
/// One process reads many files. It is started for the first question, and replaced after a failure. The failed file is
/// then read again, alone and by a fresh process, so that no photo is blamed for an earlier one.
///
/// Not thread-safe: used by one thread at a time, which waits. The kernel ends the process with the thread that started
/// it; the next question then starts another.
public final class BlockingMetadataReader {
    private let program: String
    private let library: String
    private let deadline: Duration
    private var process: WarmMetadataProcess?

    /// Does not start a process yet.
    ///
    /// - Parameters:
    ///   - program: path of a program with the subcommand ``MetadataProcess/command``.
    ///   - deadline: longest time per file. A sleeping disk needs some seconds to start.
    public init(program: String, library: String, deadline: Duration = .seconds(30)) {
        self.program = program
        self.library = library
        self.deadline = deadline
    }

    /// The answers, in the order of the requests. Throws if no process can be started.
    public func read(_ requests: [MetadataRequest]) throws(MetadataReaderError) -> [MetadataAnswer] {
        var answers: [MetadataAnswer] = []
        answers.reserveCapacity(requests.count)
        var rest = requests[...]
        while !rest.isEmpty {
            // Open few files at a time.
            let batch = rest.prefix(MetadataQuestions.maxCount).map { OpenedRequest($0) }
            rest = rest.dropFirst(batch.count)
            var read = try answer(batch.compactMap(\.opened))[...]
            for request in batch { answers.append(request.opened == nil ? request.answer : read.removeFirst()) }
        }
        return answers
    }

    private func answer(_ files: [OpenedFile]) throws(MetadataReaderError) -> [MetadataAnswer] {
        var answers: [MetadataAnswer] = []
        while answers.count < files.count {
            var reader = try warmProcess()
            let isFirst = !reader.hasAnswered
            let before = answers.count
            guard let fault = reader.read(files[before...], deadline: deadline, into: &answers) else {
                process = consume reader
                continue
            }
            let reason = reader.end(fault, deadline: deadline)
            let isProven = isFirst && answers.count == before
            answers.append(isProven ? .unread(reason) : try answer(alone: files[answers.count]))
        }
        return answers
    }

    private func answer(alone file: OpenedFile) throws(MetadataReaderError) -> MetadataAnswer {
        var reader = try warmProcess()
        var answers: [MetadataAnswer] = []
        if let fault = reader.read([file], deadline: deadline, into: &answers) {
            return .unread(reader.end(fault, deadline: deadline))
        }
        process = consume reader
        return answers.first ?? .unread(MetadataFault.invalidAnswer.reason)
    }

    private func warmProcess() throws(MetadataReaderError) -> WarmMetadataProcess {
        if let process = process.take() { return process }
        return try WarmMetadataProcess(program: program, library: library)
    }
}

struct OpenedFile {
    let file: OpenFile
    let question: MetadataQuestion
}

private struct OpenedRequest {
    let opened: OpenedFile?
    let answer: MetadataAnswer

    init(_ request: MetadataRequest) {
        do throws(StorageError) {
            opened = OpenedFile(file: try request.opened(), question: request.question)
            answer = .nothing("")
        } catch {
            opened = nil
            answer = .nothing(error.cause)
        }
    }
}
