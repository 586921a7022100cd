import Foundation
import Testing

/// Other programs, whose word counts.
enum Judge {
    /// Output of the program, or nil where it is not installed, which is a failure where CI is set.
    static func ask(_ program: String, _ arguments: [String]) throws -> String? {
        guard
            let path = ["/usr/bin/", "/usr/local/bin/", "/bin/"].map({ $0 + program }).first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else {
            if ProcessInfo.processInfo.environment["CI"] != nil { Issue.record("\(program) is not installed") }
            print("skipped: \(program) is not installed")
            return nil
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}

/// The real RAW files, which are not part of the project.
enum RealFiles {
    static var folder: URL? {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = package.deletingLastPathComponent().appending(path: "shared/raw")
        if FileManager.default.fileExists(atPath: folder.path) { return folder }
        if ProcessInfo.processInfo.environment["CI"] != nil { Issue.record("\(folder.path) is missing") }
        print("skipped: there are no real files in \(folder.path)")
        return nil
    }
}
