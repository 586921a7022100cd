import Arguments
import CommandLineTool
import KafkaBroker
import Manifests
import Processes
import Serving
import Storage
import Telemetry
import Web
import WebService

enum ServeCommand {
    private static let group = "The page"

    static let listen: Parameter<ListenArgument> = .option(
        "listen", "ADDRESS", default: .page, environment: "RAWMILL_SERVE", group: group,
        help: "Address of the page: 127.0.0.1:7420, or :7420 for the network, which needs --tokens.")
    static let tokens: Parameter<String?> = .optional(
        "tokens", "FILE", group: group, completion: .files,
        help: "File of access tokens. Each line has a role (viewer, operator, admin), a name and a token."
    )
    static let certificate: Parameter<String?> = .optional(
        "tls-certificate", "FILE", group: group, completion: .files, help: "Serve HTTPS with this certificate (PEM)."
    )
    static let key: Parameter<String?> = .optional(
        "tls-key", "FILE", group: group, completion: .files, help: "Private key of the certificate (PEM).")
    static let behindProxy: Parameter<Bool> = .flag(
        "behind-proxy", group: group, help: "A proxy in front of Rawmill terminates TLS.")
    static let allowHost: Parameter<[CollectedValue<String>]> = .collected(
        "allow-host", "NAME", group: group, help: "Additional host name of this server.")

    static let new: Parameter<Bool> = .flag(
        "new", group: group,
        help: """
            Create the library if it is missing. Without this option, serve refuses a folder without a \
            library, because it may be an unmounted disk.
            """)

    static let command: Command = Command(
        "serve", summary: "Serve a web page to import, browse and edit photos, and to watch the work.",
        discussion: """
            The page shows a library: the work in progress, failures with reasons, and all photos. Files and folders \
            that you drop on it are stored in photos/drops and developed. Programs use the same HTTP interface; the \
            manual page "Serving a library" describes it.

            With --broker, the page shows a cluster: its batches, workers and photos. Orders go to its coordinator, \
            and its workers develop the dropped files.

            By default it listens on this machine only. With --listen on the network, it requires tokens, and HTTPS \
            or a proxy that provides it. Press Ctrl-C to stop; open work continues at the next start.
            """,
        examples: [
            .init("rawmill serve --library film", "at http://127.0.0.1:7420"),
            .init("rawmill serve --library film --new", "an empty library, to import RAWs on the page"),
            .init(
                "rawmill serve --library film --listen :7420 --tokens tokens --tls-certificate c.pem --tls-key k.pem",
                "for the local network, with tokens and HTTPS"),
            .init(
                "rawmill serve --library /mnt/library --broker kafka://kafka-1:9092", "a cluster's page"),
            .init(
                "curl --data-binary @IMG_1.CR2 'http://127.0.0.1:7420/v1/render?look=velvet' > photo.jpg",
                "a picture in a fraction of a second"),
        ],
        parameters: [
            LibraryOption.parameter, new, listen, tokens, certificate, key, behindProxy, allowHost,
        ] + WorkerOptions.all + BrokerOptions.optional
    ) { values in
        CurrentProcess.returnFreedMemory()
        let address = values[listen].address
        let access = try access(values, address)
        let settings = try serverSettings(values)
        let log = SharedOptions.logger(values, console: Console(terminal: Terminal(descriptor: 2)))
        let cluster = try broker(values).map { try BrokerOptions.commandTransport(values, to: $0) }
        let library = values[LibraryOption.parameter]
        let served = try await ServedLibrary(
            library, isNew: values[new], WorkerOptions.settings(values), cluster: cluster,
            recipes: ServedRecipes(library: library), access: access, version: Version.number, log: log)
        let server: WebServer
        do { server = try WebServer(address, settings, served.router) } catch { throw CommandFailure("\(error)") }
        TextOutput.standardOutput.write(
            line: sentence(address, port: server.port, isEncrypted: values[certificate] != nil))
        Interrupts.shared.handle(orderly: { served.end() }, last: {})
        await served.serve(works: true)
        Interrupts.shared.reset()
        server.stop()
        await served.close()
        await cluster?.close()
        return ExitStatus.done
    }

    /// The cluster's brokers; nil if the command line names a library, but the broker comes from elsewhere.
    private static func broker(_ values: ArgumentValues) -> BrokerAddress? {
        let namesLibrary = values.origin(LibraryOption.parameter) == .commandLine
        let namesBroker = values.origin(BrokerOptions.optionalBroker) == .commandLine
        return namesLibrary && !namesBroker ? nil : values[BrokerOptions.optionalBroker]
    }

    static func sentence(_ address: ListenAddress, port: UInt16, isEncrypted: Bool) -> String {
        let host = address.host.isEmpty ? "127.0.0.1" : address.host
        let shown = host.contains(":") ? "[\(host)]" : host
        return "The page is at \(isEncrypted ? "https" : "http")://\(shown):\(port)"
    }

    // MARK: Safety

    private static func access(_ values: ArgumentValues, _ address: ListenAddress) throws -> AccessControl {
        let isLocal = address.isThisMachine
        guard isLocal || values[tokens] != nil else {
            throw UsageError(
                "--listen \(address) is open to the network: give --tokens FILE, so that only authorised users can change "
                    + "your photos.", command: values.command)
        }
        guard isLocal || values[certificate] != nil || values[behindProxy] else {
            throw UsageError(
                "--listen \(address) would send tokens and photos unencrypted: give --tls-certificate and --tls-key, or "
                    + "--behind-proxy if a proxy encrypts.", command: values.command)
        }
        guard (values[certificate] == nil) == (values[key] == nil) else {
            throw UsageError("give both --tls-certificate and --tls-key.", command: values.command)
        }
        let own = ["localhost", "127.0.0.1", "::1"] + (address.host.isEmpty ? [] : [address.host])
        return AccessControl(
            hosts: own + HostNames.ofThisMachine + values[allowHost].map(\.value),
            tokens: try values[tokens].map { try TokenFile.tokens(at: $0) },
            isEncrypted: values[certificate] != nil || values[behindProxy])
    }

    static var connections: WebServer.Settings {
        var settings = WebServer.Settings()
        settings.threads = nil
        settings.maxConnections = 200
        settings.idleSeconds = 30
        settings.memoryBytes = 128 * 1024
        return settings
    }

    private static func serverSettings(_ values: ArgumentValues) throws -> WebServer.Settings {
        var settings = connections
        if let certificate = values[certificate], let key = values[key] {
            settings.tls = TLSIdentity(certificate: try text(of: certificate), key: try text(of: key))
        }
        return settings
    }

    private static func text(of path: String) throws -> String {
        let (folder, name) =
            path.lastIndex(of: "/").map {
                (String(path[..<$0]), String(path[path.index(after: $0)...]))
            } ?? (".", path)
        do {
            return String(
                decoding: try Root(path: folder.isEmpty ? "/" : folder).contents(
                    of: Array(name.utf8), limitBytes: 1 << 20), as: UTF8.self)
        } catch {
            throw CommandFailure("\(path) cannot be read: \(error.cause).")
        }
    }
}

extension ListenAddress {
    /// Whether only this machine reaches the address.
    var isThisMachine: Bool { host.hasPrefix("127.") || host == "::1" }
}
