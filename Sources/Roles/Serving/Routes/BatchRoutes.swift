internal import Clock
internal import Jobs
internal import Manifests
internal import Telemetry
internal import Web
internal import WebService

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
        return .json(["batches": all.reversed().map { Self.fields($0, rate: rate) }])
    }

    private func change(_ request: RouteRequest, _ action: BatchAction) async throws -> Response {
        guard let id = BatchID(hex: request["id"]) else { throw ServiceError.unknownBatch }
        try await operations.change(id, action)
        events.send("batches", "{}")
        guard let batch = try await operations.batches().first(where: { $0.id == id }) else {
            throw ServiceError.unknownBatch
        }
        return .json(Self.fields(batch, rate: 0))
    }

    /// Degraded photos count as catalogued, because the library has them.
    private static func fields(_ batch: BatchSummary, rate: Double) -> JSONFields {
        let counts = batch.counts
        let isRunning = batch.state == "running" && counts.open > 0 && rate > 0
        return [
            "id": batch.id.description, "submitted": WallClock.text(milliseconds: batch.submittedMilliseconds),
            "look": batch.look, "state": batch.state, "message": batch.problem,
            "lane": batch.lane == .interactive ? "interactive" : "bulk", "accepted": counts.accepted,
            "catalogued": counts.catalogued &+ counts.degraded, "degraded": counts.degraded, "failed": counts.failed,
            "cancelled": counts.cancelled, "open": counts.open, "reused": batch.reused,
            "etaSeconds": isRunning ? Int(Double(counts.open) / rate) : nil,
            "settings": batch.settings.map { ["name": $0.name, "value": $0.value] as JSONFields },
        ]
    }
}
