import Testing

@testable import Tracing

struct TraceContextTests {
    @Test("A trace context is read and written as specified by the W3C")
    func header() throws {
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let context = try #require(TraceContext(text))
        #expect("\(context)" == text && context.isSampled)
        #expect("\(context.below(0x1F))" == "00-4bf92f3577b34da6a3ce929d0e0e4736-000000000000001f-01")
        let silent = try #require(TraceContext(text.dropLast(2) + "00"))
        #expect(!silent.isSampled && !silent.below(7).isSampled)
    }

    @Test("A later version is read as far as it is known")
    func laterVersion() {
        #expect(TraceContext("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-09-what-the-future-holds") != nil)
    }

    @Test(
        "An invalid trace context is refused",
        arguments: [
            "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", "00-+bf92f3577b34da6a3ce929d0e0e4736-1-01",
            "\u{0}-\u{FFFF}--", "00-4bf92f3577b34da6a3ce929d0e0e47é-00f067aa0ba902b7-01",
        ])
    func nonsense(text: String) { #expect(TraceContext(text) == nil) }

    @Test("New traces are distinct, and read what they write")
    func new() {
        let contexts = (0..<100).map { _ in TraceContext() }
        #expect(Set(contexts.map(\.description)).count == 100)
        #expect(contexts.allSatisfy { TraceContext($0.description) == $0 })
    }

    @Test(
        "A collector's address is read",
        arguments: [
            ("http://a", "http://a:4318/v1/traces"), ("http://a:1/", "http://a:1/v1/traces"),
            ("http://[::1]:4318", "http://[::1]:4318/v1/traces"), ("http://a/b/", "http://a:4318/b/v1/traces"),
            ("http://a:5/v1/traces", "http://a:5/v1/traces"),
        ])
    func collector(text: String, whole: String) { #expect(Collector(text)?.description == whole) }

    @Test(
        "An invalid collector address is refused",
        arguments: [
            "", "a:4318", "https://a", "http://", "http://:1", "http://a:0", "http://a:99999", "http://u@a",
            "http://a b", "http://a/\r\nX: y",
        ])
    func noCollector(text: String) { #expect(Collector(text) == nil) }
}
