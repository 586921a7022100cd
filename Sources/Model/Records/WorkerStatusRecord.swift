internal import Digest
internal import Jobs
public import Manifests
internal import Wire

extension WorkerStatus {
    /// The protobuf message `WorkerStatus`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `WorkerStatus`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__worker_status__unpack) {
            (status) throws(RecordError) in try WorkerStatus(wire: status)
        }
    }

    private static let maxFiles = 100

    private func wire(_ arena: Arena) -> Rawmill__V1__WorkerStatus {
        var status = Rawmill__V1__WorkerStatus()
        rawmill__v1__worker_status__init(&status)
        status.worker = arena.text(worker, limit: RecordLimit.name)
        status.at_milliseconds = atMilliseconds
        status.slots = slots
        status.current_jobs = arena.array(currentJobs.map { arena.bytes($0.digest.bytes) })
        status.n_current_jobs = currentJobs.count
        status.completed = completed
        status.failed = failed
        status.engine = engine
        status.state = arena.text(state, limit: RecordLimit.name)
        status.directives_offset = directivesOffset
        status.node = arena.text(node, limit: RecordLimit.name)
        status.memory_bytes = memoryBytes
        // Keeps the record within its limit, however many slots there are.
        let files = currentFiles.prefix(Self.maxFiles).map { arena.text($0, limit: RecordLimit.name) }
        status.current_files = arena.array(files)
        status.n_current_files = files.count
        return status
    }

    private init(wire status: Rawmill__V1__WorkerStatus) throws(RecordError) {
        var jobs: [JobID] = []
        for job in UnsafeBufferPointer(start: status.current_jobs, count: status.n_current_jobs) {
            jobs.append(JobID(digest: try job.digest("current_jobs")))
        }
        var files: [String] = []
        for file in UnsafeBufferPointer(start: status.current_files, count: status.n_current_files) {
            files.append(try file.text("current_files"))
        }
        self.init(
            worker: try status.worker.text("worker"), atMilliseconds: status.at_milliseconds, slots: status.slots,
            currentJobs: jobs, completed: status.completed, failed: status.failed, engine: status.engine,
            state: try status.state.text("state"), directivesOffset: status.directives_offset,
            node: try status.node.text("node"), memoryBytes: status.memory_bytes, currentFiles: files)
    }
}
