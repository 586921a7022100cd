import Foundation
import HTTPClient
import Testing
import Web

/// Requests to a test server that answers with what it received.
struct HTTPClientTests {
    /// Answers with the method, the path, one header, and the body.
    private struct Echo: RequestHandler {
        func stop() {}

        func handle(_ request: Request) -> RequestAction {
            switch request.path {
            case "/elsewhere":
                return .respond(
                    Response(
                        status: 302, contentType: "text/plain", body: [], headers: [.init("Location", "/followed")]))
            case "/long":
                return .respond(Response(contentType: "text/plain", body: [UInt8](repeating: 0x61, count: 65 << 20)))
            default: break
            }
            let head = "\(request.method) \(request.path) \(request.header("x-key") ?? "none")\n"
            guard request.announcesBody else { return .respond(.text(head)) }
            return .receive(
                MemoryBody(limit: 32 << 20) { Response(contentType: "text/plain", body: Array(head.utf8) + $0) })
        }
    }

    private let server: WebServer
    private let client: HTTPClient

    init() throws {
        server = try WebServer(#require(ListenAddress("127.0.0.1:0")), WebServer.Settings(), Echo())
        client = try HTTPClient(server: "http://127.0.0.1:\(server.port)/base", headers: [("x-key", "k")])
    }

    private func text(_ answer: HTTPAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test("A request has its method, path, headers and text, over one connection")
    func requests() throws {
        defer { server.stop() }
        for _ in 0..<3 {
            #expect(try text(client.send("GET", "/a")).hasPrefix("GET /base/a k\n"))
            #expect(try text(client.send("POST", "/b", .json(Array(#"{"c":1}"#.utf8)))) == "POST /base/b k\n{\"c\":1}")
            #expect(try text(client.send("PUT", "/d", .json([]))).hasPrefix("PUT /base/d k\n"))
        }
    }

    @Test("A form's texts and files arrive unchanged, with hostile names, and a large file is read in pieces")
    func forms() throws {
        defer { server.stop() }
        var largest = 0
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = FormFile(name: "a\"b\r\nX: y.jpg", sizeBytes: UInt64(bytes.count)) { offset, count in
            largest = max(largest, count)
            return Array(bytes[Int(offset)..<Int(offset) + count])
        }
        let answer = try client.send("POST", "/form", .form([.text("word", "Zürich\r\n--"), .file("data", file)]))
        #expect(answer.status == 200 && largest < 1 << 20)
        let head = String(decoding: answer.body.prefix(1000), as: UTF8.self)
        #expect(head.contains("Zürich\r\n--"))
        #expect(!head.contains("\r\nX: y"))
        // The file begins after its field's head, which contains the name.
        let mark = Array("application/octet-stream\r\n\r\n".utf8)
        let start = try #require((0..<1000).first { answer.body.dropFirst($0).starts(with: mark) }) + mark.count
        #expect(Data(answer.body.dropFirst(start).prefix(bytes.count)) == Data(bytes))
    }

    @Test("An error while reading a file is thrown, and a file that became shorter ends the request")
    func readers() throws {
        struct Unreadable: Error {}
        let broken = FormFile(name: "a", sizeBytes: 10) { _, _ in throw Unreadable() }
        #expect(throws: Unreadable.self) { try client.send("POST", "/", .form([.file("data", broken)])) }
        let shorter = FormFile(name: "a", sizeBytes: 10) { offset, _ in offset == 0 ? [1, 2, 3] : [] }
        #expect(throws: HTTPClientError.self) { try client.send("POST", "/", .form([.file("data", shorter)])) }
        #expect(try client.send("GET", "/").status == 200)
        server.stop()
    }

    @Test("Redirections are not followed, an endless answer ends, and other protocols are refused")
    func limits() throws {
        defer { server.stop() }
        let plain = try HTTPClient(server: "http://127.0.0.1:\(server.port)")
        #expect(try plain.send("GET", "/elsewhere").status == 302)
        let error = #expect(throws: HTTPClientError.self) { try plain.send("GET", "/long") }
        #expect(error?.description == "its response is too long")
        for server in ["file://", "ftp://127.0.0.1", "http://127.0.0.1:1", "http://", "\0"] {
            let other = try HTTPClient(server: server)
            #expect(throws: HTTPClientError.self) { try other.send("GET", "/etc/passwd") }
        }
    }

    @Test("A nearby server is reached without the environment's proxy")
    func proxy() throws {
        defer { server.stop() }
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        defer { unsetenv("http_proxy") }
        let nearby = try HTTPClient(server: "http://127.0.0.1:\(server.port)", limits: .nearby)
        #expect(try nearby.send("GET", "/").status == 200)
    }

    @Test("Answers of a nearby server are limited in size")
    func nearbyLimit() throws {
        defer { server.stop() }
        let nearby = try HTTPClient(server: "http://127.0.0.1:\(server.port)", limits: .nearby)
        #expect(throws: HTTPClientError.self) { try nearby.send("GET", "/long") }
    }

    @Test(
        "An answer that is not HTTP is an error, and so is a truncated one",
        arguments: [
            "", "HTTP/1.", "HTTP/1.1 ", "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 abc x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal",
        ])
    func garbage(text: String) throws {
        server.stop()
        let one = try OneAnswer(text)
        let client = try HTTPClient(server: "http://127.0.0.1:\(one.port)", limits: .nearby)
        #expect(throws: HTTPClientError.self) { try client.send("GET", "/") }
    }

    @Test("A silent server is abandoned in time")
    func silent() throws {
        server.stop()
        let one = try OneAnswer(nil)
        var limits = HTTPClient.Limits.nearby
        limits.silenceSeconds = 1
        let client = try HTTPClient(server: "http://127.0.0.1:\(one.port)", limits: limits)
        let start = ContinuousClock.now
        #expect(throws: HTTPClientError.self) { try client.send("GET", "/") }
        #expect(.now - start < .seconds(60))
    }
}
