public import Jobs
internal import Manifests
internal import Processes
internal import Records
internal import Render
internal import Storage

/// A process that renders one job after another, and nothing else: what a hostile file does to it, it does to one job.
///
/// It speaks over descriptor 3. When it is warm it sends an empty message; if it cannot get warm, a sentence why. Then
/// each request (`RenderRequest`) is answered by a `RenderReply`. It ends when the connection or its parent does.
public enum RenderProcess {
    /// The hidden subcommand it is started with.
    public static let command = "render-process"

    static let channel: Int32 = 3
    static let badCommandLine: Int32 = 64
    static let cannotStart: Int32 = 70

    /// Runs until there is nobody to render for.
    ///
    /// - Parameters:
    ///   - arguments: what follows the subcommand.
    ///   - before: is called before each render, in this process: for programs that try what a render can do to it.
    /// - Returns: the process's exit status.
    public static func run(_ arguments: [String], before: (Job) -> Void = { _ in }) -> Int32 {
        guard let (options, parent) = RenderProcessOptions.read(arguments) else { return badCommandLine }
        guard OwnProcess.end(with: parent) else { return 0 }
        guard OwnProcess.limitMemory(addressSpaceBytes: options.addressSpaceBytes) else { return cannotStart }
        OwnProcess.volunteerForTheMemoryKiller()
        OwnProcess.keepFreedMemory()
        var connection = MessageChannel(owning: channel)
        do {
            let settings = options.render.within(memoryBytes: options.memoryLimitBytes)
            var context = try RenderContext(roots: try opened(options.roots), settings: settings)
            guard connection.send([]) else { return 0 }
            serve(&connection, &context, before)
            return 0
        } catch {
            _ = connection.send(Array("\(error)".utf8))
            return cannotStart
        }
    }

    private static func opened(_ paths: [String: String]) throws(StorageError) -> Roots {
        var roots: [String: Root] = [:]
        for (name, path) in paths { roots[name] = try Root(path: path) }
        return Roots(roots)
    }

    private static func serve(
        _ connection: inout MessageChannel, _ context: inout RenderContext, _ before: (Job) -> Void
    ) {
        while case .message(let bytes) = connection.receive(milliseconds: -1, limit: RecordLimit.pipe) {
            // Only this program's own worker writes here: bytes that are no request mean that the two do not match.
            guard let request = try? RenderRequest(record: bytes) else { return }
            before(request.job)
            let threads = request.threads > 0 ? Int(request.threads) : nil
            let rendered = context.render(request.job, threads: threads)
            let reply = RenderReply(
                job: request.job.id, outcome: rendered.outcome, timings: rendered.timings,
                peakResidentBytes: OwnProcess.peakResidentBytes)
            guard connection.send(reply.encoded()) else { return }
        }
    }
}

extension RenderProcessOptions {
    /// Address space counts what is only reserved, too: the program itself, and the encoder's buffer for the worst
    /// case. What is resident is watched from outside.
    var addressSpaceBytes: UInt64 {
        let (sum, overflow) = memoryLimitBytes.multipliedReportingOverflow(by: 2)
        return overflow ? .max : sum.addingReportingOverflow(1 << 30).partialValue
    }
}
