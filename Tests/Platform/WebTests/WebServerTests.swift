import Glibc
import SeededRandom
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

    @Test("The handler receives the decoded path, and a HEAD response has no body")
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

    /// Refuses everything, with or without reading a first part.
    private struct Refusal: RequestHandler {
        let isEarly: Bool

        func handle(_ request: Request) -> RequestAction {
            let no = Response.text("no", status: 409)
            return isEarly ? .respond(no) : .receive(MemoryBody(limit: 5, refusal: no) { _ in .text("yes") })
        }

        func stop() {}
    }

    @Test(
        "A client that does not read while it sends sees the reason of a refusal, and may continue on the same connection",
        arguments: [true, false], ["Content-Length: 30000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1c9c380\r\n"])
    func refusalAfterBody(isEarly: Bool, length: String) throws {
        let server = try WebServer(#require(ListenAddress("127.0.0.1:0")), .init(), Refusal(isEarly: isEarly))
        defer { server.stop() }
        let end = length.contains("chunked") ? "\r\n0\r\n\r\n" : ""
        let request =
            Array("PUT / HTTP/1.1\r\nHost: a\r\n\(length)".utf8) + [UInt8](repeating: 0x61, count: 30_000_000)
            + Array(end.utf8)
        let both = request + Array("PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
        let answer = String(decoding: try #require(Client.talk(both, port: server.port)), as: UTF8.self)
        let statuses = answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
        #expect(statuses == ["409", isEarly ? "409" : "200"], "\(answer.prefix(300))")
    }

    @Test("A client that waits for permission to send its body, or announces one that is too long, is refused at once")
    func refusalBeforeBody() throws {
        let server = try WebServer(#require(ListenAddress("127.0.0.1:0")), .init(), Refusal(isEarly: true))
        defer { server.stop() }
        for headers in ["Content-Length: 30000000\r\nExpect: 100-continue", "Content-Length: 300000000"] {
            let request = Array("PUT / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n".utf8)
            let answer = try #require(Client.talk(request, port: server.port, patience: 10, shutsDown: false))
            #expect(String(decoding: answer.prefix(12), as: UTF8.self) == "HTTP/1.1 409")
        }
    }

    @Test("A body without an end is not read for ever")
    func endlessBody() throws {
        let server = try WebServer(#require(ListenAddress("127.0.0.1:0")), .init(), Refusal(isEarly: true))
        defer { server.stop() }
        let request = Array("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let socket = try #require(Client.open(request, port: server.port))
        defer { close(socket) }
        let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x61, count: 1 << 20) + Array("\r\n".utf8)
        let sent = (0..<2000).prefix { _ in Client.say(chunk, on: socket) }.count
        #expect(sent >= 255 && sent < 1000, "\(sent) MB")
    }

    @Test("No request stops the server", arguments: Oddity.all)
    func hostile(request: Oddity) throws {
        let server = try Self.server()
        defer { server.stop() }
        _ = Client.talk(Array(request.text.utf8), port: server.port, patience: 1)
        #expect(Client.get("/", port: server.port)?.status == 200)
    }

    @Test("Slow clients with unfinished requests do not block other clients")
    func dawdlers() throws {
        let server = try Self.server()
        defer { server.stop() }
        var dawdlers: [Int32] = []
        defer { for socket in dawdlers { close(socket) } }
        for round in 0..<400 {
            dawdlers.append(try #require(Client.open(Array("GET / HTTP/1.1\r\nX: ".utf8), port: server.port)))
            if round % 50 == 49 { #expect(Client.get("/", port: server.port)?.status == 200) }
        }
        // The newest connections are still open, and the oldest were closed.
        #expect(dawdlers.suffix(30).allSatisfy { Client.say([0x61], on: $0) })
        var byte: UInt8 = 0
        #expect(dawdlers.prefix(300).allSatisfy { recv($0, &byte, 1, 0) <= 0 })
    }

    @Test("Clients that do not read their responses do not block other clients")
    func deaf() throws {
        let server = try Self.server()
        defer { server.stop() }
        var deaf: [Int32] = []
        defer { for socket in deaf { close(socket) } }
        let question = Array("GET /big HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        for _ in 0..<150 { deaf.append(try #require(Client.open(question, port: server.port))) }
        #expect(Client.get("/", port: server.port)?.status == 200)
    }

    @Test("Random bytes do not stop the server")
    func random() throws {
        let server = try Self.server()
        defer { server.stop() }
        var random = SeededGenerator()
        let start = Array("GET / HTTP/1.1\r\n".utf8)
        for round in 0..<60 {
            let length = Int.random(in: 0...600, using: &random)
            let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = Client.talk((round % 2 == 0 ? start : []) + noise, port: server.port, patience: 1)
        }
        #expect(Client.get("/", port: server.port)?.status == 200, "seed \(random.seed)")
    }

    @Test("A stopped server frees its port, and the error for a port in use names it")
    func port() throws {
        let server = try Self.server()
        let address = try #require(ListenAddress("127.0.0.1:\(server.port)"))
        let error = #expect(throws: WebError.self) { try WebServer(address) { _ in .text("") } }
        #expect(error?.description.contains("127.0.0.1:\(server.port): Address already in use") == true)
        server.stop()
        #expect(Client.get("/", port: server.port) == nil)
        try WebServer(address) { _ in .text("") }.stop()
    }

    @Test("A server restarts at once on its port while clients of the former one keep their connections open")
    func restart() throws {
        let first = try Self.server()
        let address = try #require(ListenAddress("127.0.0.1:\(first.port)"))
        // Idle and kept alive, in the middle of a request, and in the middle of a response.
        let questions = [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHo", "GET /big HTTP/1.1\r\nHost: a\r\n\r\n",
        ]
        let clients = try questions.map { try #require(Client.open(Array($0.utf8), port: first.port)) }
        defer { for client in clients { close(client) } }
        var byte: UInt8 = 0
        #expect(recv(clients[0], &byte, 1, 0) == 1)
        first.stop()
        let second = try WebServer(address) { _ in .text("second") }
        defer { second.stop() }
        #expect(Client.get("/", port: second.port)?.body == "second\n")
        let error = #expect(throws: WebError.self) { try WebServer(address) { _ in .text("") } }
        #expect(error?.description.contains("Address already in use") == true)
    }

    @Test("Starting and stopping leaks no descriptors")
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
        "Valid addresses are parsed",
        arguments: [("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:9464", "::1", 9464), (":0", "", 0)])
    func addresses(text: String, host: String, port: UInt16) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host && address.port == port && address.description == text)
    }

    @Test(
        "Invalid addresses are rejected",
        arguments: ["", "80", "localhost:80", "::1:80", "1.2.3:4", "[1.2.3.4]:5", "[::1]", ":70000", ":-1", "a:b:c"])
    func noAddresses(text: String) { #expect(ListenAddress(text) == nil) }
}
