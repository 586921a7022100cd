import Clock
import CommandLineTool
import Jobs
import Manifests
import Telemetry
import Web
import WebService
import Worker

/// Who renders, and what.
struct WorkerRoutes {
    let mill: Mill
    let slots: Int

    var routes: [Route] { [.get("/v1/workers") { _ in await workers() }] }

    private func workers() async -> Response {
        let snapshot = mill.watcher.figures.snapshot
        let isWorking = await mill.isWorking
        let problem = await mill.problem
        let busy = isWorking ? snapshot.slots : []
        return .json { json in
            json.array("workers") { json in
                json.object { json in
                    json.field("name", "this machine")
                    json.field("node", WorkerSettings.hostName)
                    json.field("version", Version.number)
                    json.field("state", busy.contains { $0 != nil } ? "working" : "idle")
                    json.field("message", problem)
                    json.array("slots") { json in
                        for number in 0..<slots {
                            let rendering = busy.indices.contains(number) ? busy[number] : nil
                            json.object { json in
                                json.field("number", number)
                                json.field("state", rendering == nil ? "idle" : "rendering")
                                json.field("job", rendering?.job.description)
                                json.field("file", rendering.map { "\($0.file.root)/\($0.file.path)" })
                                json.field(
                                    "seconds", rendering.map { LogValue.real((ContinuousClock.now - $0.start).seconds) }
                                )
                            }
                        }
                    }
                    json.field("completed", snapshot.completed + snapshot.degraded)
                    json.field("failed", snapshot.failed)
                    json.field("lastHeartbeat", WallClock.text(milliseconds: WallClock.milliseconds))
                    json.field("canDrain", false)
                }
            }
        }
    }
}
