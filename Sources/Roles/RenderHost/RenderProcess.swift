public import Jobs
internal import Manifests
internal import Processes
internal import Records
internal import Render
internal import Storage

/// A process that renders one job after another, and nothing else: what a hostile file does to it, it does to one job.
///
/// It speaks over descriptor 3. It is told how to render (`RenderProcessOptions`); when it is warm it sends an empty
/// message, and if it cannot get warm, a sentence why. Then each request (`RenderRequest`) is answered by a `RenderReply`.
/// It ends when the connection or its parent does.
public enum RenderProcess {
    /// The hidden subcommand it is started with.
    public static let command = "render-process"

    /// Everything behind the program's name.
    ///
    /// - Parameters:
    ///   - parent: the process to end with.
    ///   - library: its folder, for whoever looks at the list of processes.
    public static func arguments(parent: Int32, library: String) -> [String] { [command, "\(parent)", library] }

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
        guard arguments.count == 2, let parent = Int32(arguments[0]) else { return badCommandLine }
        guard OwnProcess.end(with: parent) else { return 0 }
        OwnProcess.raiseOOMScore()
        OwnProcess.keepFreedMemory()
        var connection = MessageChannel(owning: channel)
        do {
            // Before it is told anything: until then nobody waits for it.
            let tools = try RenderTools()
            guard case .message(let told) = connection.receive(milliseconds: -1, limit: RecordLimit.pipe) else {
                return 0
            }
            guard let options = RenderProcessOptions(encoded: told) else { return badCommandLine }
            guard OwnProcess.limitMemory(addressSpaceBytes: options.addressSpaceBytes) else { return cannotStart }
            let settings = options.render.within(memoryBytes: options.memoryLimitBytes)
            var context = try RenderContext(tools: tools, roots: try opened(options.roots), settings: settings)
            if let look = options.look { context.prepare(look) }
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
