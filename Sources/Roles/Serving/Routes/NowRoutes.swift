internal import Clock
internal import Manifests
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

/// Serves the present figures, those of the last hour, and the stream of events.
struct NowRoutes {
    let clock: OperationsClock
    let events: EventHub

    var routes: [Route] {
        [
            .get("/v1/now") { _ in
                let text = await clock.now()
                return Response(contentType: "application/json", body: Array(text.utf8))
            },
            .get("/v1/history") { _ in history() },
            .get("/v1/finished") { _ in
                let text = "{\"photos\":[\(clock.figures.newest.joined(separator: ","))]}"
                return Response(contentType: "application/json", body: Array(text.utf8))
            },
            .get("/v1/events") { request in
                let last = (request.request.header("last-event-id") ?? request.request["last"]).flatMap { UInt64($0) }
                guard let response = events.listen(after: last) else {
                    throw ServiceError(503, "too-many-pages", "Too many pages are open.", retryAfterSeconds: 10)
                }
                return response
            },
        ]
    }

    private func history() -> Response {
        let names = [
            "time", "photosPerSecond", "megapixelsPerSecond", "queued", "inFlight", "failed", "memoryBytes",
        ]
        return .json(["fields": names, "rows": clock.figures.rows])
    }
}

/// Reads the figures once a second, sends them to the pages, and keeps those of the last hour.
final class OperationsClock: Sendable {
    private let operations: any Operations
    private let events: EventHub
    private let folder: [UInt8]

    init(_ operations: any Operations, events: EventHub, folder: String) {
        self.operations = operations
        self.events = events
        self.folder = Array(folder.utf8)
    }

    var figures: ThroughputStatistics { operations.figures }

    func run() async {
        var last = ""
        var sinceSent = 0
        await Periodic.run(every: .seconds(1)) {
            let text = await now(keeping: true)
            sinceSent += 1
            // Compares all but the time.
            if text.dropFirst(40) != last.dropFirst(40) || sinceSent >= 15 {
                events.send("now", text, isKept: false)
                (last, sinceSent) = (text, 0)
            }
        }
    }

    /// True if the folder is missing or has no library, as for an unmounted disk.
    private var isAway: Bool {
        guard let root = try? Root(path: String(decoding: folder, as: UTF8.self)) else { return true }
        return ![LibraryLayout.database, LibraryLayout.server].contains { name in
            (try? root.factsIfPresent(of: Array(name.utf8))) != nil
        }
    }

    func now(keeping isKept: Bool = false) async -> String {
        let snapshot = figures.snapshot
        var reading = await operations.reading()
        if isAway { reading.problem = "The library's folder is empty or missing: mount it again." }
        // The rate falls only after the last photo, and would look like work.
        let isRendering = reading.inFlight > 0
        let rate = isRendering ? snapshot.photosPerSecond : 0
        let megapixels = isRendering ? snapshot.megapixelsPerSecond : 0
        let queued = max(0, reading.open - reading.inFlight)
        if isKept {
            figures.add(
                ThroughputStatistics.Row(
                    milliseconds: WallClock.milliseconds, photosPerSecond: rate, megapixelsPerSecond: megapixels,
                    queued: queued, inFlight: reading.inFlight, failed: reading.failed,
                    memoryBytes: reading.memoryBytes))
        }
        let done = reading.completed + reading.degraded + reading.failed
        let state =
            reading.problem != nil ? "blocked" : reading.isPaused ? "paused" : reading.open > 0 ? "working" : "idle"
        let fields: JSONFields = [
            "time": WallClock.text(milliseconds: WallClock.milliseconds), "state": state,
            "message": reading.problem ?? reading.notice ?? snapshot.notice, "photosPerSecond": rate,
            "megapixelsPerSecond": megapixels, "queued": queued, "inFlight": reading.inFlight,
            "completed": reading.completed, "degraded": reading.degraded, "failed": reading.failed,
            "total": done + reading.open,
            "etaSeconds": rate > 0 && reading.open > 0 ? Int(Double(reading.open) / rate) : nil,
            "slots": reading.slots, "busySlots": reading.inFlight, "memoryBytes": reading.memoryBytes,
            "freeBytes": (try? FileSystemFacts(folder: folder))?.freeBytes ?? 0,
            "stages": snapshot.stages.map { ["stage": $0.stage, "milliseconds": $0.milliseconds] as JSONFields },
        ]
        return JSONWriter.line(fields)
    }
}
