import Glibc
import Testing
import Web
import WebClient

struct WebServerTests {
    private static func server() throws -> WebServer {
        let address = try #require(ListenAddress("127.0.0.1:0"))
        return try WebServer(address) { request in
            request.path == "/big"
                ? Response(contentType: "text/plain", body: [UInt8](repeating: 0x61, count: 3_000_000))
                : .text("\(request.method) \(request.path)")
        }
    }

    @Test("A question is answered with its path decoded, and HEAD without the body")
    func answers() throws {
        let server = try Self.server()
        defer { server.stop() }
        let get = try #require(Client.get("/a%20b?c=d", port: server.port))
        #expect(get == (200, "GET /a b\n"))
        let head = try #require(Client.get("/", port: server.port, method: "HEAD"))
        #expect(head == (200, ""))
        #expect(try #require(Client.get("/big", port: server.port)).body.utf8.count == 3_000_000)
    }

    @Test("Other methods and bodies are refused before the handler sees them")
    func refuses() throws {
        let server = try Self.server()
        defer { server.stop() }
        #expect(Client.get("/", port: server.port, method: "DELETE")?.status == 405)
        let body = "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\nxxxx"
        let answer = try #require(Client.talk(Array(body.utf8), port: server.port))
        #expect(String(decoding: answer.prefix(12), as: UTF8.self) == "HTTP/1.1 413")
    }

    @Test(
        "Nothing a client sends ends the server",
        arguments: [
            "", "\0\0\0\0", "GET", "GET / HTTP/9.9\r\n\r\n", "GET /%00%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /\u{1}\u{7F} HTTP/1.1\r\n\r\n", "G\r\n\r\n\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\nDELETE / HTTP/1.1\r\n\r\n",
            "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 20_000) + "\r\n",
        ])
    func hostile(request: String) throws {
        let server = try Self.server()
        defer { server.stop() }
        _ = Client.talk(Array(request.utf8), port: server.port, patience: 1)
        #expect(Client.get("/", port: server.port)?.status == 200)
    }

    @Test("Random bytes do not end the server")
    func random() throws {
        let server = try Self.server()
        defer { server.stop() }
        var generator = SystemRandomNumberGenerator()
        let start = Array("GET / HTTP/1.1\r\n".utf8)
        for _ in 0..<200 {
            let noise = (0..<Int.random(in: 0...600, using: &generator)).map { _ in UInt8.random(in: 0...255) }
            _ = Client.talk((Bool.random() ? start : []) + noise, port: server.port, patience: 1)
        }
        #expect(Client.get("/", port: server.port)?.status == 200)
    }

    @Test("A stopped server frees its port, and one that is taken is named")
    func port() throws {
        let server = try Self.server()
        let address = try #require(ListenAddress("127.0.0.1:\(server.port)"))
        let error = #expect(throws: WebError.self) { try WebServer(address) { _ in .text("") } }
        #expect(error?.description.contains("127.0.0.1:\(server.port): Address already in use") == true)
        server.stop()
        #expect(Client.get("/", port: server.port) == nil)
        try WebServer(address) { _ in .text("") }.stop()
    }

    @Test("Starting and stopping leaks no descriptor")
    func leaks() throws {
        func descriptors() -> Int {
            guard let folder = opendir("/proc/self/fd") else { return 0 }
            defer { closedir(folder) }
            var count = 0
            while readdir(folder) != nil { count += 1 }
            return count
        }
        try Self.server().stop()
        let before = descriptors()
        for _ in 0..<20 { try Self.server().stop() }
        #expect(descriptors() <= before + 4)
    }

    @Test(
        "Addresses are read",
        arguments: [("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:9464", "::1", 9464), (":0", "", 0)])
    func addresses(text: String, host: String, port: UInt16) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host && address.port == port && address.description == text)
    }

    @Test(
        "What is no address is none",
        arguments: ["", "80", "localhost:80", "::1:80", "1.2.3:4", "[1.2.3.4]:5", "[::1]", ":70000", ":-1", "a:b:c"])
    func noAddresses(text: String) { #expect(ListenAddress(text) == nil) }
}
