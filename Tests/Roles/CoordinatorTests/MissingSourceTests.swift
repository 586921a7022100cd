import BrokerConformance
import Foundation
import Jobs
import Manifests
import Storage
import Testing

@testable import Coordinator

@Suite("A source that a worker missed")
struct MissingSourceTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger
    private let registry: RootRegistry
    private var archive: String { folder.path + "/archive" }

    init() async throws {
        folder = try TemporaryFolder()
        for name in ["a.CR2", "b.CR2", "c.CR2"] { try folder.file("archive/\(name)") }
        ledger = try await Ledger.open(library: folder.path + "/library")
        registry = RootRegistry(ledger: ledger, library: folder.path + "/library", report: { _ in })
        let root = RegisteredRoot(name: Example.root, path: Array((folder.path + "/archive").utf8))
        try await ledger.perform { try $0.roots.register(RootMap([root])) }
        try await registry.lookAtAll()
    }

    /// The coordinator's reaction to a worker's failure.
    private func judge(_ name: String, reason: FailureReason = .sourceMissing) async throws -> JobResult.Outcome {
        let job = Job(batch: Example.submission().batch, source: Example.source(name), recipe: Example.recipe)
        let failed = JobResult(of: Example.manifest(job, .failed(Failure(reason, "gone"))))
        return try #require(try await registry.judged([failed]).first).outcome
    }

    private func code(_ outcome: JobResult.Outcome) -> String? {
        if case .refused(let refusal) = outcome { refusal.code } else { nil }
    }

    @Test("is missing if the coordinator sees its root and not the file")
    func missing() async throws {
        #expect(try await judge("gone.CR2") == .failed(Failure(.sourceMissing, "gone")))
    }

    @Test("is not considered missing if the coordinator sees the file")
    func present() async throws { #expect(code(try await judge("a.CR2")) == Refusal.sourcePresent) }

    @Test("is not considered missing if the coordinator does not see its root")
    func unseen() async throws {
        try FileManager.default.removeItem(atPath: folder.path + "/archive")
        #expect(code(try await judge("a.CR2")) == Refusal.rootUnseen)
        // The folder in which the storage should be mounted.
        _ = try folder.folder("archive")
        #expect(code(try await judge("a.CR2")) == Refusal.rootUnseen)
    }

    @Test("is missing if its root changed gradually, even completely in the end")
    func changingRoot() async throws {
        for (gone, new) in [("a", "d"), ("b", "e"), ("c", "f"), ("d", "g"), ("e", "h")] {
            try folder.file("archive/\(new).CR2")
            try FileManager.default.removeItem(atPath: "\(archive)/\(gone).CR2")
            try await registry.renew(Example.root, at: archive)
        }
        #expect(try await judge("a.CR2") == .failed(Failure(.sourceMissing, "gone")))
    }

    @Test("is not considered missing if all of its root changed at once, until an operator names the root")
    func otherRoot() async throws {
        for name in ["a", "b", "c"] { try FileManager.default.removeItem(atPath: "\(archive)/\(name).CR2") }
        try folder.file("archive/other.CR2")
        try await registry.renew(Example.root, at: archive)
        guard case .refused(let refusal) = try await judge("a.CR2") else { throw CancellationError() }
        #expect(refusal.code == Refusal.rootUnseen && refusal.message.contains("\(archive)/.rawmill-root"))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(archive)/.rawmill-root"))
        #expect(try await judge("a.CR2") == .failed(Failure(.sourceMissing, "gone")))
        let status = try await ledger.perform { try $0.roots.status(of: Example.root) }
        #expect(status?.mark == "mine")
    }

    @Test("is missing as soon as the coordinator has found the name that an operator gave the root")
    func watchedRoot() async throws {
        for name in ["a", "b", "c"] { try FileManager.default.removeItem(atPath: "\(archive)/\(name).CR2") }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(archive)/.rawmill-root"))
        let watching = Task { [registry] in try await registry.watch(every: .milliseconds(10)) }
        try await waitUntil("the root has its name") {
            try await ledger.perform { try $0.roots.status(of: Example.root)?.mark } == "mine"
        }
        watching.cancel()
        _ = try? await watching.value
    }

    @Test("does not affect jobs that failed for another reason")
    func others() async throws {
        #expect(try await judge("a.CR2", reason: .corrupt) == .failed(Failure(.corrupt, "gone")))
    }

    @Test("stays open as long as the coordinator does not see its root, and fails after three looks that found it")
    func ends() throws {
        let store = try LedgerStore.fresh(in: folder)
        try store.intake.accept(["a.CR2"])
        var effects: [ResultEffect] = []
        for code in [Refusal.rootUnseen, Refusal.rootUnseen, Refusal.rootUnseen, Refusal.sourcePresent] {
            _ = try store.outbox.releaseRefused(now: .max)
            let job = try store.sendAll()[0]
            let refusal = Refusal(code: code, message: "It is there.")
            effects += try store.end([Example.result(job, Example.completed(), refusal: refusal)])
        }
        #expect(effects == [.refused(.seconds(10)), .refused(.seconds(100)), .refused(.seconds(100)), .ended(.failed)])
        #expect(try store.reports.failureCounts().map(\.reason) == [.sourceMissing])
        #expect(try store.letters.next(limit: 9).count == 1)
    }
}
