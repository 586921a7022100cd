import Digest
import Foundation
import Glibc
import SeededRandom
import Storage
import Testing

@Suite(.serialized) struct KilledWriterTests {
    /// The helper program, built beside the test bundle.
    private var writer: URL {
        let here = CommandLine.arguments[0]
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath ?? here
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("storage-writer")
    }

    /// Foundation's `Process` waits in a run loop, which a test's thread lacks.
    private func start(_ program: URL, _ argument: String) throws -> pid_t {
        var child: pid_t = 0
        let arguments = [strdup(program.path), strdup(argument), nil]
        defer { for argument in arguments { free(argument) } }
        let result = posix_spawn(&child, program.path, nil, nil, arguments, environ)
        try #require(result == 0)
        return child
    }

    /// Names and inodes, which show every step of a writer.
    private func files(in temporary: TemporaryRoot) -> [String] {
        (FileManager.default.subpaths(atPath: temporary.path) ?? []).sorted().map { name in
            var facts = stat()
            return lstat("\(temporary.path)/\(name)", &facts) == 0 ? "\(name) \(facts.st_ino)" : name
        }
    }

    /// Starts a writer, and returns when it has begun to write.
    private func startWriting(in temporary: TemporaryRoot) throws -> pid_t {
        let before = files(in: temporary)
        let child = try start(writer, temporary.path)
        let end = ContinuousClock.now + .seconds(60)
        while files(in: temporary) == before {
            try #require(ContinuousClock.now < end, "the writer does not start")
            usleep(1000)
        }
        return child
    }

    @Test("A writer killed forty times at random moments leaves only complete files, and no other names")
    func kills() throws {
        let temporary = try TemporaryRoot()
        var generator = SeededGenerator()
        print("killed writers: seed \(generator.seed)")
        for _ in 0..<40 {
            let child = try startWriting(in: temporary)
            usleep(UInt32.random(in: 0...40_000, using: &generator))
            kill(child, SIGKILL)
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
        }
        var files = 0
        for folder in try temporary.root.entries(of: []) {
            for entry in try temporary.root.entries(of: folder.name) {
                let path = folder.name + [UInt8(ascii: "/")] + entry.name
                let name = String(decoding: entry.name, as: UTF8.self)
                // A writer killed between the two steps of a replacement leaves a second name for a complete file. The
                // next replacement or a sweep removes it.
                let digest = try temporary.root.digest(of: path).digest
                let bytes = try temporary.root.contents(of: path, limitBytes: 1 << 20)
                #expect(Set(bytes).count == 1 && bytes.count == 200_000, "\(name) is not whole: \(digest)")
                if !name.hasPrefix(".") { files += 1 }
            }
        }
        #expect(files > 0)
        _ = try temporary.root.sweepTemporaries()
        for folder in try temporary.root.entries(of: []) {
            #expect(
                try temporary.names(in: String(decoding: folder.name, as: UTF8.self)).allSatisfy {
                    $0.hasSuffix(".jpg")
                })
        }
    }
}
