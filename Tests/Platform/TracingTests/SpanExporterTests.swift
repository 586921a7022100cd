import Foundation
import Telemetry
import Testing
import TraceCollector

@testable import Tracing

/// The requests that a collector receives, and spans without a collector. Python's HTTP server and JSON parser check
/// them.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SpanExporterTests {
    @Test("A collector receives spans as OTLP")
    func export() async throws {
        let collector = try TraceCollector()
        let exporter = SpanExporter(
            to: try #require(Collector(collector.url)), service: "rawmill-test", version: "1", instance: "a \"b\"")
        let context = TraceContext()
        exporter.take(Span(root: "submit", of: context, start: 1_000, end: 2_000, attributes: ["n": 3]))
        exporter.take(
            Span("render", below: context, start: 5, end: 3, attributes: ["job": "ä\u{1}", "ok": true], failure: "bad"))
        exporter.take(Span("unseen", below: try #require(TraceContext("\(context)".dropLast(1) + "0")), start: 1))
        await exporter.close(limit: .seconds(60))
        #expect(exporter.figures == .init(exported: 2, dropped: 0))
        let spans = try collector.spans()
        #expect(spans.map(\.name) == ["submit", "render"])
        #expect(spans[0].parent == nil && spans[1].parent == spans[0].id && spans[1].trace == spans[0].trace)
        #expect(spans[0].start == 1_000 && spans[0].end == 2_000)
        #expect(spans[1].start == 5 && spans[1].end == 5, "a clock that was set back gives no negative time")
        #expect(spans[1].attributes == ["job": "ä\u{1}", "ok": "true"] && spans[1].failure == "bad")
        #expect(spans.allSatisfy { $0.service == "rawmill-test" })
    }

    @Test("Many spans come in requests of a bounded size, and none is lost")
    func many() async throws {
        let collector = try TraceCollector()
        let exporter = SpanExporter(
            to: try #require(Collector(collector.url)), service: "s", version: "1", instance: "i")
        let context = TraceContext()
        for number in 0..<3000 { exporter.take(Span("n", below: context, id: UInt64(number + 1), start: 1)) }
        await exporter.close(limit: .seconds(60))
        #expect(Set(try collector.spans().map(\.id)).count == 3000)
    }

    @Test("A missing collector loses spans, but costs neither time nor memory")
    func away() async throws {
        let exporter = SpanExporter(
            to: try #require(Collector("http://127.0.0.1:9")), service: "s", version: "1", instance: "i", limit: 100)
        let watch = ContinuousClock.now
        for _ in 0..<10_000 { exporter.take(Span("n", below: TraceContext(), start: 1)) }
        #expect(watch.duration(to: .now) < .seconds(20))
        await exporter.close(limit: .seconds(60))
        #expect(exporter.figures.dropped == 10_000 && exporter.figures.exported == 0)
    }
}
