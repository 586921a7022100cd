import Testing
import Web

@testable import WebService

struct EventHubTests {
    private func stream(_ hub: EventHub, after last: UInt64? = nil) throws -> any ResponseStream {
        let response = try #require(hub.listen(after: last))
        guard case .stream(let stream) = response.content else { throw NoStream() }
        _ = stream.next(limit: 1000)
        return stream
    }

    private struct NoStream: Error {}

    @Test("A listener receives events, and one that was away receives the missed ones")
    func missed() throws {
        let hub = EventHub()
        hub.send("photo", "1")
        hub.send("now", "2", isKept: false)
        hub.send("photo", "3")
        let all = try #require(hub.listen(after: 1))
        guard case .stream(let stream) = all.content else { throw NoStream() }
        let text = String(decoding: stream.next(limit: 10_000) ?? [], as: UTF8.self)
        #expect(
            text.contains("id: 3\nevent: photo\ndata: 3\n\n") && !text.contains("data: 1") && !text.contains("data: 2"))
        let fresh = try self.stream(hub)
        hub.send("failed", "4")
        #expect(String(decoding: fresh.next(limit: 10_000) ?? [], as: UTF8.self) == "id: 4\nevent: failed\ndata: 4\n\n")
    }

    @Test("Long events come in parts, and a listener that does not read loses its stream")
    func slow() throws {
        let hub = EventHub()
        let stream = try stream(hub)
        hub.send("photo", String(repeating: "x", count: 1000))
        #expect(stream.next(limit: 100)?.count == 100)
        for _ in 0..<3000 { hub.send("photo", String(repeating: "x", count: 1000)) }
        #expect(stream.next(limit: 100) == nil)
        stream.close()
        #expect(!hub.hasListeners)
    }

    @Test("The number of listeners is limited, and all streams end when the hub closes")
    func closed() throws {
        let hub = EventHub()
        var streams: [any ResponseStream] = []
        for _ in 0..<64 { streams.append(try stream(hub)) }
        #expect(hub.listen(after: nil) == nil)
        hub.close()
        #expect(streams.allSatisfy { $0.next(limit: 10) == nil })
        #expect(hub.listen(after: nil) == nil)
    }
}
