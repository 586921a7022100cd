internal import Clock
internal import Jobs
internal import Manifests
internal import Telemetry
internal import Web
internal import WebService

/// Batches and their ledgers: shows them, pauses, goes on, cancels, tries again.
struct BatchRoutes {
    let operations: any Operations
    let events: EventHub

    var routes: [Route] {
        [
            .get("/v1/batches") { _ in try await batches() },
            .post("/v1/batches/{id}/pause") { try await change($0, .pause) },
            .post("/v1/batches/{id}/resume") { try await change($0, .resume) },
            .post("/v1/batches/{id}/cancel") { try await change($0, .cancel) },
            .post("/v1/batches/{id}/retry") { try await change($0, .retry) },
        ]
    }

    private func batches() async throws -> Response {
        let all = try await operations.batches()
        let rate = operations.figures.snapshot.photosPerSecond
        return .json { json in
            json.array("batches") { json in
                for batch in all.reversed() { json.object { Self.write(batch, rate: rate, to: &$0) } }
            }
        }
    }

    private func change(_ request: RouteRequest, _ action: BatchAction) async throws -> Response {
        guard let id = BatchID(hex: request["id"]) else { throw ServiceError.unknownBatch }
        try await operations.change(id, action)
        events.send("batches", "{}")
        guard let batch = try await operations.batches().first(where: { $0.id == id }) else {
            throw ServiceError.unknownBatch
        }
        return .json { Self.write(batch, rate: 0, to: &$0) }
    }

    /// Degraded photos are in the library: they count as catalogued here.
    static func write(_ batch: BatchSummary, rate: Double, to json: inout JSONWriter) {
        let counts = batch.counts
        json.field("id", batch.id.description)
        json.field("submitted", WallClock.text(milliseconds: batch.submittedMilliseconds))
        json.field("look", batch.look)
        json.field("state", batch.state)
        json.field("message", batch.problem)
        json.field("lane", batch.lane == .interactive ? "interactive" : "bulk")
        json.field("accepted", counts.accepted)
        json.field("catalogued", counts.catalogued &+ counts.degraded)
        json.field("degraded", counts.degraded)
        json.field("failed", counts.failed)
        json.field("cancelled", counts.cancelled)
        json.field("open", counts.open)
        json.field("reused", batch.reused)
        let isRunning = batch.state == "running" && counts.open > 0 && rate > 0
        json.field("etaSeconds", isRunning ? LogValue(Int(Double(counts.open) / rate)) : nil)
        json.array("settings") { json in
            for setting in batch.settings {
                json.object { json in
                    json.field("name", setting.name)
                    json.field("value", setting.value)
                }
            }
        }
    }
}
