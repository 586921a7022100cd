import ExternalTools
import Foundation
import Testing

/// A build of `decode-probe`, which decodes damaged files in a separate process.
enum DecodeProbe: String, CustomTestStringConvertible {
    /// Next to the test program, in its configuration.
    case debug
    /// Built like the shipped program, for the lowest processor level, by `Deploy/build-levels --probes`.
    case shipped

    var testDescription: String { "\(rawValue) build" }

    private func program() throws -> URL {
        switch self {
        case .debug:
            let folders = [Bundle.main.bundleURL] + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
            let programs = folders.map { $0.appending(path: "decode-probe") }
            return try #require(programs.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        case .shipped: return Checkout.shippedProbe
        }
    }

    /// Runs the probe.
    ///
    /// - Returns: its output, and whether a signal ended it.
    func run(_ arguments: [String]) throws -> (output: String, isCrash: Bool) {
        let process = Process()
        process.executableURL = try program()
        process.arguments = arguments
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationReason == .uncaughtSignal)
    }
}

/// The result of each damaged version of a file.
struct DamageReport {
    private(set) var outcomes: [UInt64: String] = [:]
    /// Seeds that crashed the probe.
    private(set) var crashes: [UInt64] = []

    /// Restarts the probe after each seed that crashes it.
    init(_ probe: DecodeProbe, _ bytes: [UInt8], seeds: Range<UInt64>) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rawmill-damage-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var next = seeds.lowerBound
        while next < seeds.upperBound {
            let output = try probe.run([file.path, String(next), String(seeds.upperBound - next)]).output
            let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            for line in lines where line.count == 3 { outcomes[try Self.seed(of: line)] = line[2] }
            let last = try #require(lines.last, "the probe printed nothing")
            if last.count < 3 { crashes.append(try Self.seed(of: last)) }
            next = try Self.seed(of: last) + 1
        }
    }

    private static func seed(of line: [String]) throws -> UInt64 { try #require(line.first.flatMap { UInt64($0) }) }

    func count(_ outcome: String) -> Int { outcomes.values.filter { $0 == outcome }.count }
}
