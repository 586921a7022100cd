import Arguments
import CommandLineTool
import Runs
import Serving
import Telemetry
import Web
import WebService
import Worker

/// The page of one run of `rawmill convert`, from before its plan until its end. The run also does the page's requests.
struct RunPage {
    let owner: RunOwner
    private let served: ServedLibrary
    private let server: WebServer

    /// - Throws: `UsageError` if there is no library, or other machines could reach the page.
    static func check(_ values: ArgumentValues, _ destination: RunDestination) throws {
        guard values[PageOptions.isWanted] else { return }
        guard destination.isLibrary else {
            throw UsageError("--serve shows a library: give --library instead of --out.", command: values.command)
        }
        guard values[PageOptions.listen].address.isThisMachine else {
            throw UsageError(
                "--listen \(values[PageOptions.listen].address) is open to the network: use `rawmill serve`, which can "
                    + "require tokens.", command: values.command)
        }
    }

    /// Opens the page of an existing library.
    ///
    /// - Throws: `CommandFailure` if the address is taken.
    static func open(_ values: ArgumentValues, library folder: String, log: Logger) async throws -> RunPage {
        // The page renders few single pictures, and the run needs the processors.
        var settings = WorkerOptions.settings(values)
        settings.slots = 1
        let address = values[PageOptions.listen].address
        let access = AccessControl(
            hosts: ["localhost", "127.0.0.1", "::1", address.host] + HostNames.ofThisMachine, tokens: nil)
        let served = try await ServedLibrary(
            folder, isNew: false, settings, cluster: nil, recipes: ServedRecipes(library: folder), access: access,
            version: Version.number, log: log, isReady: true)
        guard let owner = served.owner else { throw CommandFailure("internal error: no library is open") }
        let server: WebServer
        do { server = try WebServer(address, ServeCommand.connections, served.router) } catch {
            throw CommandFailure("\(error)")
        }
        let line = ServeCommand.sentence(address, port: server.port, isEncrypted: false)
        (values[ReportOptions.json] ? TextOutput.standardError : .standardOutput).write(line: line)
        return RunPage(owner: owner, served: served, server: server)
    }

    /// Serves until `end`.
    func serve() async { await served.serve(works: false) }

    func end() { served.end() }

    func close() async {
        server.stop()
        await served.close()
    }
}
