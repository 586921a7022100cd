internal import Clock
internal import Jobs
internal import Telemetry
internal import Web
internal import WebService

/// Who renders, and what.
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
        let workers = await operations.workers()
        return .json { json in
            json.array("workers") { json in
                for worker in workers { json.object { Self.write(worker, to: &$0) } }
            }
        }
    }

    private static func write(_ worker: WorkerSummary, to json: inout JSONWriter) {
        json.field("name", worker.name)
        json.field("node", worker.node)
        json.field("version", worker.version)
        json.field("state", worker.state)
        json.field("message", worker.message)
        json.array("slots") { json in
            for (number, slot) in worker.slots.enumerated() {
                json.object { json in
                    json.field("number", number)
                    json.field("state", slot.job == nil ? "idle" : "rendering")
                    json.field("job", slot.job?.description)
                    json.field("file", slot.file)
                    json.field("seconds", slot.seconds.map(LogValue.real))
                }
            }
        }
        json.field("memoryBytes", worker.memoryBytes.map { LogValue($0) })
        json.field("completed", worker.completed)
        json.field("failed", worker.failed)
        json.field("lastHeartbeat", WallClock.text(milliseconds: worker.lastHeartbeatMilliseconds))
        json.field("canDrain", worker.canDrain)
    }
}
