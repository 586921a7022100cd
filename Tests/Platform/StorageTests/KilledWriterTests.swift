import Digest
import Foundation
import Glibc
import Storage
import Testing

@Suite struct KilledWriterTests {
    /// The program beside the test bundle.
    private var writer: URL {
        let here = CommandLine.arguments[0]
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath ?? here
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("storage-writer")
    }

    /// Foundation's `Process` waits in a run loop, which a test's thread has not.
    private func start(_ program: URL, _ argument: String) throws -> pid_t {
        var child: pid_t = 0
        let words = [strdup(program.path), strdup(argument), nil]
        defer { for word in words { free(word) } }
        let result = posix_spawn(&child, program.path, nil, nil, words, environ)
        try #require(result == 0)
        return child
    }

    /// Names and file numbers: what a writer does shows in them at once.
    private func files(in scratch: Scratch) -> [String] {
        (FileManager.default.subpaths(atPath: scratch.path) ?? []).sorted().map { name in
            var facts = stat()
            return lstat("\(scratch.path)/\(name)", &facts) == 0 ? "\(name) \(facts.st_ino)" : name
        }
    }

    /// Starts a writer, and returns when it is at work: how long a program takes to start says nothing.
    private func startWriting(in scratch: Scratch) throws -> pid_t {
        let before = files(in: scratch)
        let child = try start(writer, scratch.path)
        let end = ContinuousClock.now + .seconds(60)
        while files(in: scratch) == before {
            try #require(ContinuousClock.now < end, "the writer does not begin")
            usleep(1000)
        }
        return child
    }

    @Test("Forty kill -9 of a writer at random moments leave whole files only, and no other name")
    func kills() throws {
        let scratch = try Scratch()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<40 {
            let child = try startWriting(in: scratch)
            usleep(UInt32.random(in: 0...40_000, using: &generator))
            kill(child, SIGKILL)
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
        }
        var files = 0
        for folder in try scratch.root.entries(of: []) {
            for entry in try scratch.root.entries(of: folder.name) {
                let path = folder.name + [UInt8(ascii: "/")] + entry.name
                let name = String(decoding: entry.name, as: UTF8.self)
                // Between the two steps of a replacement a second name can stay; the next replacement, or a sweep,
                // takes it away. Its bytes are whole all the same.
                let digest = try scratch.root.identity(of: path).digest
                let bytes = try scratch.root.contents(of: path, limitBytes: 1 << 20)
                #expect(Set(bytes).count == 1 && bytes.count == 200_000, "\(name) is not whole: \(digest)")
                if !name.hasPrefix(".") { files += 1 }
            }
        }
        #expect(files > 0)
        _ = try scratch.root.sweepTemporaries()
        for folder in try scratch.root.entries(of: []) {
            #expect(
                try scratch.names(in: String(decoding: folder.name, as: UTF8.self)).allSatisfy { $0.hasSuffix(".jpg") })
        }
    }
}
