import Foundation
import Testing

/// The built program, run as a user runs it.
enum Rawmill {
    /// Located next to the test executable.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "rawmill")

    struct Ended {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// Standard output as JSON, one object per line.
        var events: [[String: Any]] {
            get throws {
                try lines.map {
                    try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
                }
            }
        }

        func events(_ kind: String) throws -> [[String: Any]] { try events.filter { $0["event"] as? String == kind } }
    }

    @discardableResult
    static func run(
        _ arguments: String..., in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Ended {
        try run(arguments, in: folder, environment: environment)
    }

    static func run(
        _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Ended {
        try Running(arguments, in: folder, environment: environment).wait()
    }
}

/// A running `rawmill`.
final class Running {
    let process = Process()
    private let output: Captured
    private let errors: Captured

    /// - Parameters:
    ///   - user: user to run as; nil for the tests' user.
    ///   - input: a file for its standard input; nil for none.
    init(
        _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:], as user: OtherUser? = nil,
        input: URL? = nil
    ) throws {
        process.executableURL = user.map { _ in OtherUser.program } ?? Rawmill.program
        process.arguments = (user.map { $0.arguments(running: $0.rawmill) } ?? []) + arguments
        process.currentDirectoryURL = folder
        let plain = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/tmp"]
        process.environment = plain.merging(environment) { $1 }
        output = try Captured()
        errors = try Captured()
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
        process.standardOutput = output.handle
        process.standardError = errors.handle
        try process.run()
    }

    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    /// Its output so far.
    var outputSoFar: String { output.text }
    var errorsSoFar: String { errors.text }

    func send(_ signal: Int32) { kill(identifier, signal) }

    func wait() -> Rawmill.Ended {
        process.waitUntilExit()
        let signalled = process.terminationReason == .uncaughtSignal
        return Rawmill.Ended(
            status: signalled ? -process.terminationStatus : process.terminationStatus, output: output.text,
            errors: errors.text)
    }

    /// Waits until the condition holds; false if the program ended or the time was up before.
    func wait(seconds: Double = 180, until condition: () throws -> Bool) rethrows -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            if try condition() { return true }
            if !isRunning { return try condition() }
            usleep(5000)
        }
        return false
    }
}

/// A file that captures a stream: a pipe could fill up and block the program.
private final class Captured {
    private let file: URL
    let handle: FileHandle

    init() throws {
        file = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString).txt")
        try Data().write(to: file)
        handle = try FileHandle(forWritingTo: file)
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    var text: String { String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self) }
}
