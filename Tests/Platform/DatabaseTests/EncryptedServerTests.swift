import Database
import ExternalTools
import Foundation
import PostgreSQL
import PostgreSQLServer
import Testing

/// Connections over TLS to a server with a certificate for `localhost`, signed by the test's own authority.
@Suite("A server over TLS", .serialized, .needs(.postgreSQL), .needs(.program("openssl")), .needs(.program("bash")))
struct EncryptedServerTests {
    /// A server, and a folder with `authority.pem` and with `stranger.pem`, which signed nothing.
    private static func server(_ body: (_ authority: String, _ stranger: String, _ port: Int) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let port = try freePort()
        let server = try PostgreSQLServer(port: port)
        try make(folder, server.dataFolder)
        let owner = try Connection(server: server.address(), schema: "public")
        try owner.script("ALTER SYSTEM SET ssl = on")
        try owner.script("SELECT pg_reload_conf()")
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            if try (owner.first("SHOW ssl") { $0.text(0) }) == "on" { break }
            usleep(10_000)
        }
        try body("\(folder)/authority.pem", "\(folder)/stranger.pem", port)
    }

    private static func make(_ folder: String, _ data: String) throws {
        let script = """
            set -e; cd "$1"
            for name in authority stranger; do
                openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 2 -subj "/CN=$name"
            done
            openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj "/CN=localhost"
            echo subjectAltName=DNS:localhost >names
            openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \\
                -extfile names -out server.crt
            cp server.key server.crt "$2"; chmod 600 "$2/server.key"; chown --reference="$2" "$2/server.key" "$2/server.crt"
            """
        _ = try ExternalTool.run("bash", ["-c", script, "bash", folder, data])
    }

    private static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isFound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        try #require(isFound)
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    @Test("A server's certificate is verified, and an untrusted one is refused with the remedy")
    func certificates() throws {
        try Self.server { authority, stranger, port in
            func refusal(_ host: String, _ parameters: String) throws -> DatabaseError? {
                let address = try ServerAddress("postgresql://rawmill@\(host):\(port)/postgres?\(parameters)")
                do {
                    let connection = try Connection(server: address, schema: "public", mode: .readOnly)
                    let isEncrypted = "SELECT ssl::integer FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
                    #expect(try connection.first(isEncrypted) { $0.integer(0) } == 1)
                    return nil
                } catch let error as DatabaseError {
                    return error
                }
            }
            let trusting = "sslmode=verify-full&sslrootcert="
            #expect(try refusal("localhost", trusting + authority) == nil)
            for (host, root) in [("localhost", stranger), ("127.0.0.1", authority), ("localhost", authority + ".gone")]
            {
                let error = try #require(try refusal(host, trusting + root))
                #expect(error.kind == .notTrusted)
                #expect(error.description.contains("sslrootcert=PATH"))
            }
            let plain = try #require(try refusal("localhost", "sslmode=disable"))
            #expect(plain.kind == .cannotOpen && plain.description.contains("no encryption"))
        }
    }
}
