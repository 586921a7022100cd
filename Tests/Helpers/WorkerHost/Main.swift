import Broker
import Glibc
import Storage
import Worker

/// Runs a worker in the given folder, with a durable embedded broker, until it is killed.
@main
struct WorkerHost {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first else { exit(EX_USAGE) }
        let broker = try await EmbeddedBroker.open(path: folder + "/broker.sqlite")
        try await broker.create(Topics.local)
        let settings = WorkerSettings(name: "host", slots: 2)
        let roots = Roots([
            "archive": try Root(path: folder + "/archive"), "library": try Root(path: folder + "/library"),
        ])
        try await RenderWorker(settings: settings, transport: broker, roots: roots).run()
    }
}
