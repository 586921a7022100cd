import Clock
import Coordinator
import Jobs
import Manifests
import Telemetry
import Web
import WebService

/// Batches and their ledgers: shows them, pauses, goes on, cancels, tries again.
struct BatchRoutes {
    let mill: Mill
    let events: EventHub

    var routes: [Route] {
        [
            .get("/v1/batches") { _ in try await batches() },
            .post("/v1/batches/{id}/pause") { try await control($0) { try $0.pause($1) } },
            .post("/v1/batches/{id}/resume") { request in
                let response = try await control(request) { try $0.resume($1) }
                await mill.finishOpen()
                return response
            },
            .post("/v1/batches/{id}/cancel") { try await control($0) { try $0.cancel($1) } },
            .post("/v1/batches/{id}/retry") { request in
                let response = try await control(request) { _ = try $0.retry(RetryFilter(batch: $1)) }
                await mill.finishOpen()
                return response
            },
        ]
    }

    private func batches() async throws -> Response {
        let all = try await mill.readingLedger(else: [BatchReport]()) { store in
            var all: [BatchReport] = []
            try store.reports.eachBatch { all.append($0) }
            return all
        }
        let rate = mill.watcher.figures.snapshot.photosPerSecond
        return .json { json in
            json.array("batches") { json in
                for batch in all.reversed() { json.object { Self.write(batch, rate: rate, to: &$0) } }
            }
        }
    }

    private func control(
        _ request: RouteRequest, _ body: @escaping @Sendable (BatchControl, BatchID) throws -> Void
    ) async throws -> Response {
        guard let id = BatchID(hex: request["id"]) else { throw Self.unknown }
        let batch = try await mill.withLedger { store in
            do { try body(store.control, id) } catch LedgerError.unknownBatch { throw Self.unknown }
            var found: BatchReport?
            try store.reports.eachBatch { if $0.batch == id { found = $0 } }
            return found
        }
        events.send("batches", "{}")
        guard let batch else { throw Self.unknown }
        return .json { Self.write(batch, rate: 0, to: &$0) }
    }

    private static let unknown = ServiceError(
        404, "unknown-batch", "There is no such batch.", remedy: "Load the page again.")

    /// Degraded photos are in the library: they count as catalogued here.
    static func write(_ batch: BatchReport, rate: Double, to json: inout JSONWriter) {
        let counts = batch.counts
        let isOver = batch.state == .running && counts.open == 0
        json.field("id", batch.batch.description)
        json.field("submitted", WallClock.text(milliseconds: batch.submittedMilliseconds))
        json.field("look", batch.recipe.look.description)
        json.field("state", isOver ? "completed" : batch.state == .cancelling ? "cancelled" : "\(batch.state)")
        json.field("lane", batch.lane == .interactive ? "interactive" : "bulk")
        json.field("accepted", counts.accepted)
        json.field("catalogued", counts.catalogued &+ counts.degraded)
        json.field("degraded", counts.degraded)
        json.field("failed", counts.failed)
        json.field("cancelled", counts.cancelled)
        json.field("open", counts.open)
        json.field("reused", batch.reused)
        let isRunning = batch.state == .running && counts.open > 0 && rate > 0
        json.field("etaSeconds", isRunning ? LogValue(Int(Double(counts.open) / rate)) : nil)
        json.array("settings") { json in
            for line in batch.recipe.canonicalText.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0] != "look" else { continue }
                json.object { json in
                    json.field("name", String(parts[0]))
                    json.field("value", String(parts[1]))
                }
            }
        }
    }
}
