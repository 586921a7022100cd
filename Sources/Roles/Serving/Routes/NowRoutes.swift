internal import Clock
internal import Manifests
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

/// What happens now, and what happened in the last hour.
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
        let rows = clock.figures.rows
        return .json { json in
            json.array("fields") { json in
                for name in [
                    "time", "photosPerSecond", "megapixelsPerSecond", "queued", "inFlight", "failed", "memoryBytes",
                ] { json.element(.text(name)) }
            }
            json.array("rows") { json in
                for row in rows {
                    json.array { json in
                        json.element(LogValue(row.milliseconds))
                        json.element(.real(row.photosPerSecond))
                        json.element(.real(row.megapixelsPerSecond))
                        json.element(LogValue(row.queued))
                        json.element(LogValue(row.inFlight))
                        json.element(LogValue(row.failed))
                        json.element(LogValue(row.memoryBytes))
                    }
                }
            }
        }
    }
}

/// Looks at the works once a second: tells the pages, and keeps the last hour.
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

    /// Until the task is cancelled.
    func run() async {
        var last = ""
        var sinceSent = 0
        while !Task.isCancelled {
            let text = await now(keeping: true)
            sinceSent += 1
            // Without its time, and what changes by itself.
            if text.dropFirst(40) != last.dropFirst(40) || sinceSent >= 15 {
                events.send("now", text, isKept: false)
                (last, sinceSent) = (text, 0)
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// The folder of a mount that is lost is empty, or not there.
    private var isAway: Bool {
        guard let root = try? Root(path: String(decoding: folder, as: UTF8.self)) else { return true }
        return ![LibraryLayout.database, LibraryLayout.server].contains { name in
            (try? root.factsIfPresent(of: Array(name.utf8))) != nil
        }
    }

    /// The figures as JSON.
    func now(keeping isKept: Bool = false) async -> String {
        let snapshot = figures.snapshot
        var reading = await operations.reading()
        if isAway { reading.problem = "The library is not where it was: mount it again." }
        // A rate that only fades away when nothing is left to do would be told as work.
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
        return JSONWriter.line { json in
            json.field("time", WallClock.text(milliseconds: WallClock.milliseconds))
            json.field("state", state)
            json.field("message", reading.problem ?? reading.notice ?? snapshot.notice)
            json.field("photosPerSecond", rate)
            json.field("megapixelsPerSecond", megapixels)
            json.field("queued", queued)
            json.field("inFlight", reading.inFlight)
            json.field("completed", reading.completed)
            json.field("degraded", reading.degraded)
            json.field("failed", reading.failed)
            json.field("total", done + reading.open)
            json.field("etaSeconds", rate > 0 && reading.open > 0 ? LogValue(Int(Double(reading.open) / rate)) : nil)
            json.field("slots", reading.slots)
            json.field("busySlots", reading.inFlight)
            json.field("memoryBytes", reading.memoryBytes)
            json.field("freeBytes", (try? FileSystemFacts(folder: folder))?.freeBytes ?? 0)
            json.array("stages") { json in
                for stage in snapshot.stages {
                    json.object { json in
                        json.field("stage", stage.stage)
                        json.field("milliseconds", stage.milliseconds)
                    }
                }
            }
        }
    }
}
