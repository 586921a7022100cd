import Clock
import Coordinator
import Jobs
import Manifests
import Processes
import Storage
import Telemetry
import Web
import WebService

/// What happens now, and what happened in the last hour.
struct NowRoutes {
    let clock: MillClock
    let events: EventHub

    var routes: [Route] {
        [
            .get("/v1/now") { _ in
                let text = await clock.now()
                return Response(contentType: "application/json", body: Array(text.utf8))
            },
            .get("/v1/history") { _ in history() },
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

/// Looks at the mill once a second: tells the pages, and keeps the last hour.
final class MillClock: Sendable {
    private let mill: Mill
    private let events: EventHub
    private let folder: [UInt8]
    private let slots: Int

    init(_ mill: Mill, events: EventHub, folder: String, slots: Int) {
        self.mill = mill
        self.events = events
        self.folder = Array(folder.utf8)
        self.slots = slots
    }

    var figures: MillFigures { mill.watcher.figures }

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

    /// The figures as JSON.
    func now(keeping isKept: Bool = false) async -> String {
        let snapshot = figures.snapshot
        let isWorking = await mill.isWorking
        let problem = await mill.problem
        let counts = isWorking ? (try? await mill.readingLedger(else: JobCounts()) { try $0.reports.totals() }) : nil
        let inFlight = snapshot.slots.count { $0 != nil }
        let open = counts?.open ?? 0
        let queued = max(0, open - inFlight)
        let rate = snapshot.photosPerSecond
        let memory = CurrentProcess.residentBytes + (await mill.renderBytes)
        if isKept {
            figures.add(
                MillFigures.Row(
                    milliseconds: WallClock.milliseconds, photosPerSecond: rate,
                    megapixelsPerSecond: snapshot.megapixelsPerSecond, queued: queued, inFlight: inFlight,
                    failed: snapshot.failed, memoryBytes: memory))
        }
        let done = snapshot.completed + snapshot.degraded + snapshot.failed
        return JSONWriter.line { json in
            json.field("time", WallClock.text(milliseconds: WallClock.milliseconds))
            json.field("state", problem != nil ? "blocked" : open > 0 ? "working" : "idle")
            json.field("message", problem ?? snapshot.notice)
            json.field("photosPerSecond", rate)
            json.field("megapixelsPerSecond", snapshot.megapixelsPerSecond)
            json.field("queued", queued)
            json.field("inFlight", inFlight)
            json.field("completed", snapshot.completed)
            json.field("degraded", snapshot.degraded)
            json.field("failed", snapshot.failed)
            json.field("total", done + open)
            json.field("etaSeconds", rate > 0 && open > 0 ? LogValue(Int(Double(open) / rate)) : nil)
            json.field("slots", slots)
            json.field("busySlots", inFlight)
            json.field("memoryBytes", memory)
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
