import Metrics
import Testing

struct MetricTextTests {
    private func text(_ registry: MetricRegistry) -> String { String(decoding: registry.text, as: UTF8.self) }

    @Test("A counter begins at zero and only grows")
    func counter() {
        let registry = MetricRegistry()
        let counter = registry.counter("jobs_total", "Jobs.")
        #expect(text(registry) == "# HELP jobs_total Jobs.\n# TYPE jobs_total counter\njobs_total 0\n")
        counter.add()
        counter.add(2.5)
        for nonsense in [-1, .nan, .infinity] { counter.add(nonsense) }
        #expect(text(registry).hasSuffix("\njobs_total 3.5\n"))
    }

    @Test("A gauge goes up and down, and forgets removed series")
    func gauge() {
        let registry = MetricRegistry()
        let gauge = registry.gauge("lag", "Lag.", labels: ["topic", "partition"])
        gauge.set(3, ["a", "0"])
        gauge.add(-1, ["a", "0"])
        gauge.set(.infinity, ["a", "1"])
        #expect(text(registry).hasSuffix("lag{topic=\"a\",partition=\"0\"} 2\nlag{topic=\"a\",partition=\"1\"} +Inf\n"))
        gauge.replace([(["b", "0"], 7)])
        #expect(text(registry).hasSuffix("# TYPE lag gauge\nlag{topic=\"b\",partition=\"0\"} 7\n"))
    }

    @Test("A histogram's buckets are cumulative, and the last one contains everything")
    func histogram() {
        let registry = MetricRegistry()
        let histogram = registry.histogram("time_seconds", "Time.", labels: ["stage"], bounds: [0.1, 1])
        for value in [0.05, 0.1, 0.5, 7, .nan] { histogram.observe(value, ["decode"]) }
        #expect(
            text(registry).hasSuffix(
                """
                time_seconds_bucket{stage="decode",le="0.1"} 2
                time_seconds_bucket{stage="decode",le="1"} 3
                time_seconds_bucket{stage="decode",le="+Inf"} 4
                time_seconds_sum{stage="decode"} 7.65
                time_seconds_count{stage="decode"} 4

                """))
    }

    @Test("No label can end its value or its line")
    func escaping() {
        let registry = MetricRegistry()
        registry.counter("odd_total", "Back\\slash,\nline.", labels: ["name"]).add(1, ["a\"} 9\nb\\c\u{0}é"])
        #expect(
            text(registry) == "# HELP odd_total Back\\\\slash,\\nline.\n# TYPE odd_total counter\n"
                + "odd_total{name=\"a\\\"} 9\\nb\\\\c\u{0}é\"} 1\n")
    }

    @Test("A metric has a bounded number of series, and the sum stays complete")
    func bounded() {
        let registry = MetricRegistry()
        let counter = registry.counter("many_total", "Many.", labels: ["id"], limit: 10)
        for id in 0..<1000 { counter.add(1, ["\(id)"]) }
        let samples = text(registry).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(samples.count == 11)
        #expect(samples.contains("many_total{id=\"other\"} 990"))
        counter.add(1, [String(repeating: "x", count: 10_000)])
        #expect(registry.text.count < 1000)
    }

    @Test("Counting from many threads loses nothing")
    func threads() async {
        let registry = MetricRegistry()
        let counter = registry.counter("parallel_total", "Parallel.", labels: ["task"])
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for _ in 0..<5000 { counter.add(1, ["\(task % 2)"]) } }
            }
        }
        #expect(text(registry).hasSuffix("{task=\"0\"} 20000\nparallel_total{task=\"1\"} 20000\n"))
    }
}
