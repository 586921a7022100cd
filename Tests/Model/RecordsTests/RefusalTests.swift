import Digest
import Jobs
import Manifests
import Records
import SeededRandom
import Testing

@Suite("Refused records")
struct RefusalTests {
    private func reason(_ read: () throws -> Void) -> FailureReason? {
        do {
            try read()
            return nil
        } catch {
            return (error as? RecordError)?.failure.reason
        }
    }

    private func job(_ message: ProtoMessage) -> FailureReason? { reason { _ = try Job(record: message.bytes) } }

    /// A job's fields by number, as protoc would write them.
    private func valid() throws -> ProtoMessage {
        var random = SeededGenerator(seed: 1)
        return try #require(
            ProtoMessage(
                Job(
                    batch: random.batch(), source: random.source(), recipe: random.recipe(), engineNeeded: 1
                ).encoded()))
    }

    @Test("A record without a required field is malformed")
    func missing() throws {
        let message = try valid()
        #expect(job(message) == nil)
        for field in [1, 2, 4, 5, 6, 7] { #expect(job(message.without(field)) == .malformedRecord, "field \(field)") }
        #expect(reason { _ = try Job(record: []) } == .malformedRecord)
    }

    @Test("An enum value of a later version is a newer writer's")
    func newerEnums() throws {
        let message = try valid()
        for value in [3, 77, 1 << 31, UInt64.max] {
            #expect(job(message.with(6, .number(value))) == .newerWriter, "lane \(value)")
        }
        #expect(job(message.with(7, .number(9))) == .newerWriter)
        #expect(job(message.nested(5) { $0.with(10, .number(9)) }) == .newerWriter)
        #expect(reason { _ = try Control(record: [0x08, 0x0A]) } == .newerWriter)
    }

    @Test("A recipe of a later version, which this version would render differently, is refused")
    func newerRecipe() throws {
        let message = try valid()
        // The later writer's id includes a field that is ignored here.
        let id = ProtoMessage.Value.bytes(SHA256Value(of: [1]).bytes)
        #expect(job(message.nested(5) { $0.with(900, .number(1)) }) == nil)
        #expect(job(message.with(1, id).nested(5) { $0.with(900, .number(1)) }) == .newerWriter)
        for line in ["dodging=0.5", "quality=80", "="] {
            let line = ProtoMessage.Value.bytes(Array(line.utf8))
            #expect(job(message.nested(5) { $0.with(30, line) }) == .newerWriter)
        }
        #expect(job(message.nested(5) { $0.with(30, .bytes([0x61])) }) == .malformedRecord)
    }

    @Test(
        "A path that could leave its root is malformed",
        arguments: ["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/.", "a/..", "a\0b", "a/"])
    func paths(path: String) throws {
        let message = try valid()
        let damaged = message.nested(4) { source in
            source.nested(1) { stamp in stamp.nested(1) { $0.with(2, .bytes(Array(path.utf8))) } }
        }
        #expect(job(damaged) == .malformedRecord)
    }

    @Test(
        "An invalid root name is malformed",
        arguments: ["", ".hidden", "a/b", "ä", "a b", String(repeating: "a", count: 65)])
    func roots(name: String) throws {
        let damaged = try valid().nested(4) { source in
            source.nested(1) { stamp in stamp.nested(1) { $0.with(1, .bytes(Array(name.utf8))) } }
        }
        #expect(job(damaged) == .malformedRecord)
    }

    @Test("A photo's name that is not a single file name is malformed", arguments: ["", "a/b", "..", "/", "a\0"])
    func photoBase(name: String) throws {
        #expect(job(try valid().nested(4) { $0.with(4, .bytes(Array(name.utf8))) }) == .malformedRecord)
    }

    @Test("A text that is not UTF-8 or contains a NUL, which protobuf-c does not check, is malformed")
    func texts() {
        let failure: [UInt8] = [0x08, 0x01]
        let base: [UInt8] = [0x32, UInt8(failure.count)] + failure
        #expect(reason { _ = try DeadLetter(record: base + [0x0A, 1, 0x61]) } == nil)
        #expect(reason { _ = try DeadLetter(record: base + [0x0A, 1, 0xFF]) } == .malformedRecord)
        #expect(reason { _ = try DeadLetter(record: base + [0x0A, 3, 0x61, 0, 0x62]) } == .malformedRecord)
    }

    @Test("A number out of its range is malformed")
    func ranges() throws {
        let message = try valid()
        let fixed: (Double) -> ProtoMessage.Value = { .fixed64($0.bitPattern) }
        let recipes: [(Int, ProtoMessage.Value)] = [
            (2, .number(0)), (2, .number(1_000_000_001)), (4, fixed(1.01)), (4, fixed(.nan)), (5, fixed(.infinity)),
            (5, fixed(-10.5)),
            (6, fixed(1)), (6, fixed(-3)), (8, .number(15)), (8, .number(65_501)), (9, .number(0)), (9, .number(101)),
            (3, .bytes([1, 2])), (1, .bytes(Array("UPPER".utf8))),
        ]
        for (field, value) in recipes {
            #expect(job(message.nested(5) { $0.with(field, value) }) == .malformedRecord, "recipe's \(field): \(value)")
        }
        for count in [0, 15, 17] {
            #expect(job(message.with(2, .bytes([UInt8](repeating: 1, count: count)))) == .malformedRecord)
        }
        #expect(reason { _ = try Control(record: [0x08, 0x03]) } == .malformedRecord, "cancels everything")
        let drain = try #require(ProtoMessage(Control.drain(worker: "w").encoded()))
        let long = ProtoMessage.Value.bytes([UInt8](repeating: 0x77, count: 257))
        #expect(reason { _ = try Control(record: drain.with(4, long).bytes) } == .malformedRecord)
    }

    @Test("An outcome unknown to this version is a newer writer's")
    func outcome() throws {
        var random = SeededGenerator(seed: 2)
        let manifest = try #require(ProtoMessage(random.manifest().encoded())).without(10).without(11)
        #expect(reason { _ = try Manifest(record: manifest.bytes) } == .newerWriter)
        #expect(reason { _ = try Manifest(record: manifest.with(10, .bytes([])).bytes) } == .malformedRecord)
    }

    @Test("A record that would take far more memory than its size is malformed")
    func bomb() {
        // Half a million empty renditions in a megabyte: protobuf-c would take 200 MB for them.
        let empty = [UInt8](repeating: 0, count: 2 * 500_000).enumerated().map {
            $0.offset.isMultiple(of: 2) ? 0x0A : 0
        }
        // A reply of that size, containing the completed renditions.
        let head: [UInt8] = [0x0A, 0xC4, 0x84, 0x3D, 0x12, 0xC0, 0x84, 0x3D]
        let record = head + empty.map { UInt8($0) }
        #expect(throws: RecordError.malformed("\(record.count) bytes that are not a protobuf message of this type")) {
            try RenderMessage(record: record)
        }
    }

    @Test("An error states its cause for users")
    func sentences() {
        let newer = RecordError.newerWriter("lane 7").failure
        #expect(newer.message == "The record was written by a newer Rawmill: lane 7. Upgrade this Rawmill.")
        #expect(RecordError.malformed("id has 3 bytes, not 32").failure.message.contains("id has 3 bytes"))
    }

    @Test("because a render process's options are out of range")
    func renderOptions() throws {
        let look = try #require(LookReference(name: "velvet", version: 2, digest: SHA256Value(of: [1])))
        let options = RenderProcessOptions(
            memoryLimitBytes: 1, threads: 1, maxPixels: 1, maxFileBytes: 1,
            maxSampleBytes: 1,
            expectedLook: look)
        let message = try #require(ProtoMessage(options.encoded()))
        func read(_ message: ProtoMessage) -> FailureReason? {
            reason { _ = try RenderProcessOptions(record: message.bytes) }
        }
        #expect(read(message) == nil)
        for field in 2...6 { #expect(read(message.without(field)) == .malformedRecord, "field \(field)") }
        #expect(read(message.with(4, .number(1 << 63))) == .malformedRecord)
        #expect(read(message.nested(8) { $0.with(3, .bytes([1])) }) == .malformedRecord)
        #expect(read(message.nested(8) { $0.with(1, .bytes(Array("UPPER".utf8))) }) == .malformedRecord)
    }
}
