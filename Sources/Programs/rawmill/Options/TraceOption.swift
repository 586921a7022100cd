import Arguments
import CommandLineTool
import Glibc
import Tracing
import Worker

/// `--traces URL`: the collector for the spans of a cluster's jobs.
enum TraceOption {
    static let collector: Parameter<CollectorArgument?> = .optional(
        "traces", "URL", environment: "OTEL_EXPORTER_OTLP_ENDPOINT", group: "The cluster",
        help: """
            Send traces to an OTLP collector over plain HTTP, without TLS: http://localhost:4318. (default: off)
            """)

    static func exporter(_ role: String, _ values: ArgumentValues) -> SpanExporter? {
        values[collector].map { argument in
            SpanExporter(
                to: argument.collector, service: "rawmill-\(role)", version: Version.number,
                instance: "\(WorkerSettings.hostName)-\(getpid())")
        }
    }
}

struct CollectorArgument: ArgumentValue {
    let collector: Collector

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let collector = Collector(String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument(
                "http://HOST:PORT of a local collector, without TLS; it can forward the traces")
        }
        self.collector = collector
    }

    var argumentText: String { "\(collector)" }
}
