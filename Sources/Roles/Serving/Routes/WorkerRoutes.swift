internal import Clock
internal import Jobs
internal import Telemetry
internal import Web
internal import WebService

struct WorkerRoutes {
    let operations: any Operations

    var routes: [Route] {
        [
            .get("/v1/workers") { _ in await workers() },
            .post("/v1/workers/{name}/drain") { request in
                try await operations.drain(request["name"])
                return await workers()
            },
        ]
    }

    private func workers() async -> Response {
        .json(["workers": await operations.workers().map(Self.fields)])
    }

    private static func fields(_ worker: WorkerSummary) -> JSONFields {
        let slots = worker.slots.enumerated().map { number, slot -> JSONFields in
            [
                "number": number, "state": slot.job == nil ? "idle" : "rendering", "job": slot.job?.description,
                "file": slot.file, "seconds": slot.seconds,
            ]
        }
        return [
            "name": worker.name, "node": worker.node, "version": worker.version, "state": worker.state,
            "message": worker.message, "slots": slots, "memoryBytes": worker.memoryBytes,
            "completed": worker.completed, "failed": worker.failed,
            "lastHeartbeat": WallClock.text(milliseconds: worker.lastHeartbeatMilliseconds),
            "canDrain": worker.canDrain,
        ]
    }
}
