import Digest
import Foundation
import Glibc
import Storage
import Testing

@Suite struct PublishingTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }
    let path = [UInt8]("ab/cd/photo.jpg")

    init() throws { temporary = try TemporaryRoot() }

    @Test("A published file is complete, and its folder has no other files")
    func created() throws {
        let done = try root.publish([UInt8]("bytes"), at: path)
        #expect(done.outcome == .created)
        #expect(done.digest == SHA256Value(of: [UInt8]("bytes")))
        #expect(done.sizeBytes == 5)
        #expect(try temporary.names(in: "ab/cd") == ["photo.jpg"])
        #expect(temporary.text(of: "ab/cd/photo.jpg") == "bytes")
    }

    @Test("Publishing the same bytes again changes nothing")
    func identical() throws {
        _ = try root.publish([UInt8]("bytes"), at: path)
        let before = try root.facts(of: path)
        for policy in [ExistingFile.keep, .replace] {
            #expect(try root.publish([UInt8]("bytes"), at: path, existing: policy).outcome == .identical)
        }
        #expect(try root.facts(of: path).isUnchanged(since: before))
    }

    @Test("A file with other bytes is kept or replaced, as the caller chooses")
    func differing() throws {
        _ = try root.publish([UInt8]("old"), at: path)
        let kept = try root.publish([UInt8]("newer"), at: path)
        #expect(kept.outcome == .kept)
        #expect(kept.digest == SHA256Value(of: [UInt8]("old")))
        #expect(kept.sizeBytes == 3)
        #expect(temporary.text(of: "ab/cd/photo.jpg") == "old")
        let replaced = try root.publish([UInt8]("newer"), at: path, existing: .replace)
        #expect(replaced.outcome == .replaced)
        #expect(temporary.text(of: "ab/cd/photo.jpg") == "newer")
        #expect(try temporary.names(in: "ab/cd") == ["photo.jpg"])
    }

    @Test("A temporary name of a killed replacement is removed by the next one")
    func leftover() throws {
        _ = try root.publish([UInt8]("old"), at: path)
        try temporary.write("half", to: "ab/cd/.rawmill-photo.jpg.tmp")
        #expect(try root.publish([UInt8]("new"), at: path, existing: .replace).outcome == .replaced)
        #expect(try temporary.names(in: "ab/cd") == ["photo.jpg"])
    }

    @Test("Of many writers of one name, one creates it, and one complete file remains")
    func race() async throws {
        let root = root
        let outcomes = try await withThrowingTaskGroup(of: Publication.Outcome.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let bytes = [UInt8](repeating: UInt8(number % 2), count: 300_000)
                    return try root.publish(bytes, at: [UInt8]("one/file"), existing: .keep).outcome
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .created }.count == 1)
        #expect(outcomes.filter { $0 == .kept }.count == 8)
        #expect(try temporary.names(in: "one") == ["file"])
    }

    @Test("Many replacements of one name leave one complete file, and no other name", arguments: 1...10)
    func replacers(round: Int) async throws {
        let root = root
        _ = try root.publish([UInt8]("first"), at: [UInt8]("one/file"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let bytes = [UInt8](repeating: UInt8(number), count: 100_000)
                    _ = try root.publish(bytes, at: [UInt8]("one/file"), existing: .replace)
                }
            }
            try await group.waitForAll()
        }
        let bytes = try root.contents(of: [UInt8]("one/file"), limitBytes: 1 << 20)
        #expect(bytes.count == 100_000 && Set(bytes).count == 1)
        #expect(try temporary.names(in: "one") == ["file"])
    }

    @Test("Nothing is published under the name of a folder")
    func folderInTheWay() throws {
        try root.createFolders(path)
        #expect(kind { _ = try root.publish([UInt8]("x"), at: path) } == .wrongKind)
    }

    @Test("A copy is verified: a source with other bytes gets no name")
    func copies() throws {
        let from = try TemporaryRoot()
        try from.write("raw bytes", to: "IMG.NEF")
        let digest = SHA256Value(of: [UInt8]("raw bytes"))
        let done = try root.publishCopy(of: [UInt8]("IMG.NEF"), in: from.root, digest: digest, at: path)
        #expect(done.outcome == .created && done.digest == digest)
        #expect(temporary.text(of: "ab/cd/photo.jpg") == "raw bytes")
        let other = SHA256Value(of: [UInt8]("others"))
        #expect(
            kind {
                _ = try root.publishCopy(of: [UInt8]("IMG.NEF"), in: from.root, digest: other, at: [UInt8]("ab/cd/b"))
            } == .changed)
        #expect(try temporary.names(in: "ab/cd") == ["photo.jpg"])
    }
}
