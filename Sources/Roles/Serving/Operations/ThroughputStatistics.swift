internal import Clock
internal import Jobs
internal import Manifests
internal import PictureFormat
internal import Synchronization

/// The rate of photos, now and in the last hour.
final class ThroughputStatistics: Sendable {
    struct Rendering: Sendable {
        let job: JobID
        let file: FileReference
        let start: ContinuousClock.Instant
    }

    struct Snapshot: Sendable {
        var photosPerSecond = 0.0
        var megapixelsPerSecond = 0.0
        /// The job of each slot; nil for an idle slot.
        var slots: [Rendering?] = []
        var completed = 0
        var degraded = 0
        var failed = 0
        /// Mean times of the last photos, in the order of the stages.
        var stages: [(stage: String, milliseconds: Double)] = []
        var notice: String?
    }

    /// The figures of one second; in JSON an array in this order.
    struct Row: Encodable, Sendable {
        let milliseconds: Int64
        let photosPerSecond: Double
        let megapixelsPerSecond: Double
        let queued: Int
        let inFlight: Int
        let failed: Int
        let memoryBytes: UInt64

        func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            try row.encode(milliseconds)
            try row.encode(photosPerSecond)
            try row.encode(megapixelsPerSecond)
            try row.encode(queued)
            try row.encode(inFlight)
            try row.encode(failed)
            try row.encode(memoryBytes)
        }
    }

    private struct Ended {
        let time: ContinuousClock.Instant
        let photos: Int
        let megapixels: Double
    }

    private struct State {
        var slots: [Rendering?] = []
        var ended: [Ended] = []
        var timings: [[StageTiming]] = []
        var completed = 0
        var degraded = 0
        var failed = 0
        var notice: String?
        var rows: [Row] = []
        var finished: [String] = []
    }

    private let state = Mutex(State())
    private static let window = Duration.seconds(8)
    private static let maxTimings = 200
    private static let maxRows = 3600
    private static let maxFinished = 24

    func ready(slots: Int) {
        state.withLock { $0.slots = Array(repeating: nil, count: slots) }
    }

    func started(slot: Int, job: Job) {
        state.withLock { state in
            while state.slots.count <= slot { state.slots.append(nil) }
            state.slots[slot] = Rendering(job: job.id, file: job.source.raw.file, start: .now)
        }
    }

    func left(_ job: JobID) { state.withLock { Self.leave(job, &$0) } }

    private static func leave(_ job: JobID, _ state: inout State) {
        for index in state.slots.indices where state.slots[index]?.job == job { state.slots[index] = nil }
    }

    func ended(_ manifest: Manifest, _ timings: [StageTiming]) {
        state.withLock { state in
            Self.leave(manifest.job, &state)
            guard case .completed(let renditions) = manifest.outcome else {
                state.failed += 1
                return
            }
            let isDegraded = renditions.contains { $0.degraded != nil }
            if isDegraded { state.degraded += 1 } else { state.completed += 1 }
            let pixels = renditions.reduce(0) { $0 + ($1.photo.size?.pixelCount ?? 0) }
            state.ended.append(Ended(time: .now, photos: renditions.count, megapixels: Double(pixels) / 1e6))
            state.timings.append(timings)
            if state.timings.count > Self.maxTimings { state.timings.removeFirst() }
        }
    }

    /// Call it when a run begins.
    func reset() {
        state.withLock { state in
            (state.slots, state.notice) = ([], nil)
            (state.completed, state.degraded, state.failed) = (0, 0, 0)
        }
    }

    func notice(_ text: String) { state.withLock { $0.notice = text } }

    var snapshot: Snapshot {
        state.withLock { state in
            let now = ContinuousClock.now
            state.ended.removeAll { now - $0.time > Self.window }
            var snapshot = Snapshot(
                slots: state.slots, completed: state.completed, degraded: state.degraded, failed: state.failed,
                notice: state.notice)
            if let first = state.ended.first {
                let seconds = max(1, (now - first.time).seconds)
                snapshot.photosPerSecond = Double(state.ended.reduce(0) { $0 + $1.photos }) / seconds
                snapshot.megapixelsPerSecond = state.ended.reduce(0) { $0 + $1.megapixels } / seconds
            }
            var order: [String] = []
            var sums: [String: Double] = [:]
            for timing in state.timings.joined() {
                if sums[timing.stage] == nil { order.append(timing.stage) }
                sums[timing.stage, default: 0] += Double(timing.microseconds) / 1000
            }
            let count = Double(max(1, state.timings.count))
            snapshot.stages = order.map { ($0, (sums[$0] ?? 0) / count) }
            return snapshot
        }
    }

    // MARK: The last photos

    func finished(_ photo: String) {
        state.withLock { state in
            state.finished.append(photo)
            if state.finished.count > Self.maxFinished { state.finished.removeFirst() }
        }
    }

    /// The last photos, the newest first.
    var newest: [String] { state.withLock { $0.finished.reversed() } }

    // MARK: The last hour

    func add(_ row: Row) {
        state.withLock { state in
            state.rows.append(row)
            if state.rows.count > Self.maxRows { state.rows.removeFirst(state.rows.count - Self.maxRows) }
        }
    }

    var rows: [Row] { state.withLock { $0.rows } }
}
