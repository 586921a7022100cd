import Broker
import Glibc
import RenderHost
import Storage
import Worker

/// A worker of its own, on the folder given, until it is killed.
@main
struct WorkerHost {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.count > 1, words[1] == RenderProcess.command { exit(RenderProcess.run(Array(words[2...]))) }
        let folder = words[1]
        let broker = try await EmbeddedBroker.open(path: folder + "/broker.sqlite")
        try await broker.create(Topics.onOneMachine)
        var settings = WorkerSettings(name: "host", slots: 2)
        settings.maxStarts = 1000
        let roots = Roots([
            "archive": try Root(path: folder + "/archive"), "library": try Root(path: folder + "/library"),
        ])
        try await RenderWorker(settings: settings, transport: broker, roots: roots).run()
    }
}
