internal import Telemetry

/// A worker's own time, from when it was made: whatever is done to the time of day, it goes on as before.
struct WorkerClock: Sendable {
    private let watch = Stopwatch()

    var milliseconds: Int64 { watch.elapsed.wholeMilliseconds }
}
