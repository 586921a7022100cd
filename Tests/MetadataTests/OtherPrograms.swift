import Foundation

/// Runs another program as a judge over a temporary file.
///
/// - Returns: its output and errors together.
func judge(_ bytes: [UInt8], named name: String = "photo.jpg", by arguments: [String]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(bytes).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments + [file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
}
