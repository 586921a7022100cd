import Testing

@testable import Web

@Suite struct LocalRequestTests {
    @Test("A page of a server on this machine comes with its status", arguments: ["127.0.0.1", ""])
    func page(host: String) throws {
        let server = try WebServer(try #require(ListenAddress("\(host):0"))) { request in
            request.path == "/ready" ? .text("no Kafka\nno library", status: 503) : .text("else")
        }
        defer { server.stop() }
        let address = try #require(ListenAddress("\(host):\(server.port)"))
        #expect(LocalRequest(address, path: "/ready").send() == .init(status: 503, body: "no Kafka\nno library\n"))
        #expect(LocalRequest(address, path: "/").send()?.status == 200)
    }

    @Test("Where nothing listens there is no answer")
    func nothingListens() throws {
        let server = try WebServer(try #require(ListenAddress("127.0.0.1:0"))) { _ in .text("") }
        let port = server.port
        server.stop()
        #expect(LocalRequest(try #require(ListenAddress("127.0.0.1:\(port)")), path: "/").send() == nil)
    }

    @Test(
        "What is no answer by HTTP is none",
        arguments: ["", "HTTP/1.", "HTTP/1.1 ", "SSH-2.0-OpenSSH", "HTTP/1.1 abc x"])
    func garbage(text: String) { #expect(LocalRequest.answer(Array(text.utf8)) == nil) }

    @Test("An answer that is cut is taken as far as it came")
    func cut() {
        #expect(LocalRequest.answer(Array("HTTP/1.1 200 OK\r\nA: b".utf8)) == .init(status: 200, body: ""))
        #expect(LocalRequest.answer(Array("HTTP/1.1 200 OK\r\n\r\nhal".utf8)) == .init(status: 200, body: "hal"))
    }
}
