import Foundation

/// A folder that is gone when the test ends.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-samples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Runs another program and gives what it printed; nil (with a printed reason) where it is not installed.
func judge(_ program: String, _ arguments: [String]) throws -> String? {
    let places = ["/usr/bin/", "/usr/local/bin/"].map { $0 + program }
    guard let path = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
        guard ProcessInfo.processInfo.environment["CI"] == nil else { throw MissingJudge(name: program) }
        print("skipped: \(program) is not installed")
        return nil
    }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
}

struct MissingJudge: Error { let name: String }
