internal import Jobs
public import Manifests
internal import Processes
internal import Records
internal import Render
internal import RenderHost

/// A warm render process: its channel to the worker and its render context.
///
/// ``RenderProcess/run(_:)`` is the usual loop over it. Programs that inject faults write their own.
public struct RenderSession: ~Copyable {
    private let connection: WorkerConnection
    private var context: RenderContext
    private var descriptors = ReceivedDescriptors([])

    /// There is nothing to render; the process should exit with this status.
    public struct Exit: Error, Hashable, Sendable {
        /// Exit status of the process.
        public let status: Int32

        static let workerGone = Exit(status: 0)
        /// `EX_USAGE` of sysexits.h: a bad command line, or unreadable options.
        static let badUsage = Exit(status: 64)
        /// `EX_SOFTWARE` of sysexits.h: the worker received the reason.
        static let cannotStart = Exit(status: 70)
    }

    /// Receives the options, warms up, and reports to the worker. For the arguments see
    /// ``RenderProcess/arguments(parent:library:)``.
    ///
    /// - Throws: `Exit` if this process cannot serve a worker. The worker receives the reason if it is still there.
    public init(arguments: [String]) throws(Exit) {
        guard arguments.count == 2, let parent = Int32(arguments[0]) else { throw .badUsage }
        guard CurrentProcess.endWithParent(parent) else { throw .workerGone }
        CurrentProcess.raiseOOMScore()
        CurrentProcess.keepFreedMemory()
        let connection = WorkerConnection(MessageChannel(owning: MessageChannel.inheritedDescriptor))
        let context = try Self.warmContext(connection)
        guard connection.send([]) else { throw .workerGone }
        self.init(connection: connection, context: context)
    }

    private init(connection: WorkerConnection, context: consuming RenderContext) {
        self.connection = connection
        self.context = context
    }

    private static func warmContext(_ connection: WorkerConnection) throws(Exit) -> RenderContext {
        do {
            // Load them before the options arrive: no job waits for this process yet.
            let tools = try RenderTools()
            guard let (bytes, descriptors) = connection.receive() else { throw Exit.workerGone }
            guard let options = try? RenderProcessOptions(record: bytes) else { throw Exit.badUsage }
            try RenderSandbox.enter(addressSpaceBytes: options.addressSpaceBytes)
            var context = RenderContext(tools: tools, settings: options.renderSettings)
            if let look = options.expectedLook { context.prepare(look, table: descriptors.file()) }
            return context
        } catch let exit as Exit {
            throw exit
        } catch {
            _ = connection.send(Array("\(error)".utf8))
            throw .cannotStart
        }
    }

    /// Waits for the next request; nil when the worker is gone.
    public mutating func nextRequest() -> RenderRequest? {
        guard let (bytes, descriptors) = connection.receive() else { return nil }
        self.descriptors = descriptors
        // Only the worker that started this process writes here. Bytes that are not a request mean that the two
        // programs do not match, and the process ends.
        return try? RenderRequest(record: bytes)
    }

    /// Renders and sends the reply. False if the worker is gone.
    public mutating func render(_ request: RenderRequest) -> Bool {
        let threads = request.threads > 0 ? Int(request.threads) : nil
        guard let files = ReceivedFiles(request, descriptors, connection) else { return false }
        if let size = request.cameraPicture, let blank = files.cameraPicture {
            let failure = context.cameraPicture(size, of: request.job, files.sources, into: blank)
            return connection.send(RenderMessage.cameraPicture(failure).encoded())
        }
        var reply = context.render(request.job, files, threads: threads)
        reply.peakResidentBytes = CurrentProcess.peakResidentBytes
        return connection.send(RenderMessage.reply(reply).encoded())
    }
}
