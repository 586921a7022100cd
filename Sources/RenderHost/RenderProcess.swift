internal import CLinux
internal import Glibc
internal import Jobs
internal import Manifests
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
    /// - Parameter arguments: what follows the subcommand.
    /// - Returns: the process's exit status.
    public static func run(_ arguments: [String]) -> Int32 {
        guard let (options, parent) = RenderProcessOptions.read(arguments) else { return badCommandLine }
        guard rawmill_end_with_parent(parent) == 0 else { return 0 }
        guard rawmill_limit_memory(options.addressSpaceBytes) == 0 else { return cannotStart }
        volunteerForTheMemoryKiller()
        var connection = MessageChannel(owning: channel)
        do {
            var context = try RenderContext(roots: try opened(options.roots), settings: options.render)
            guard connection.send([]) else { return 0 }
            serve(&connection, &context)
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

    private static func serve(_ connection: inout MessageChannel, _ context: inout RenderContext) {
        while case .message(let bytes) = connection.receive(milliseconds: -1, limit: RecordLimit.pipe) {
            // Only this program's own worker writes here: bytes that are no request mean that the two do not match.
            guard let request = try? RenderRequest(record: bytes) else { return }
            let rendered = context.render(request.job)
            let reply = RenderReply(
                job: request.job.id, outcome: rendered.outcome, timings: rendered.timings,
                peakResidentBytes: peakResidentBytes)
            guard connection.send(reply.encoded()) else { return }
        }
    }

    private static var peakResidentBytes: UInt64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return UInt64(clamping: usage.ru_maxrss) * 1024
    }

    /// If the machine runs out of memory, the kernel should end this process and not the worker. Not more than a hint.
    private static func volunteerForTheMemoryKiller() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "800", 3)
        close(file)
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
