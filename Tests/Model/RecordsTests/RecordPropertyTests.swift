import Jobs
import Manifests
import Records
import SeededRandom
import Testing

@Suite("Records of every kind")
struct RecordPropertyTests {
    let seed = UInt64.random(in: 0...UInt64.max)

    @Test("Records are parsed to the values they were made from", arguments: RecordKind.all)
    func roundTrip(kind: RecordKind) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 { #expect(try kind.roundTrips(&random), "seed \(seed)") }
    }

    @Test("A value has only one encoding", arguments: RecordKind.all)
    func canonical(kind: RecordKind) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let bytes = kind.valid(&random)
            #expect(try kind.rewrite(bytes) == bytes, "seed \(seed)")
        }
    }

    @Test("Random bytes are refused without a trap, and later records are read", arguments: RecordKind.all)
    func randomBytes(kind: RecordKind) throws {
        var random = SeededGenerator(seed: seed)
        let accepted = (0..<2000).count(where: { _ in (try? kind.rewrite(random.bytes(0...300))) != nil })
        #expect(accepted < 200, "seed \(seed)")
        let sound = kind.valid(&random)
        #expect(try kind.rewrite(sound) == sound, "seed \(seed)")
    }

    @Test(
        "Damaged records are refused, or parsed to a value that can be written and parsed again",
        arguments: RecordKind.all)
    func mutations(kind: RecordKind) throws {
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<2000 {
            let damaged = random.damage(kind.valid(&random))
            guard let rewritten = try? kind.rewrite(damaged) else { continue }
            accepted += 1
            #expect(try kind.rewrite(rewritten) == rewritten, "seed \(seed)")
        }
        #expect((1..<2000).contains(accepted), "seed \(seed)")
    }

    @Test("Records truncated at any byte do not trap, and most are refused", arguments: RecordKind.all)
    func truncations(kind: RecordKind) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = kind.valid(&random)
        let refused = bytes.indices.count(where: { (try? kind.rewrite(Array(bytes.prefix($0)))) == nil })
        #expect(refused >= bytes.count / 2, "seed \(seed)")
        #expect(try kind.rewrite(bytes) == bytes, "seed \(seed)")
    }

    @Test("Fields of a later version are ignored", arguments: RecordKind.all)
    func unknownFields(kind: RecordKind) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = kind.valid(&random)
        // Field 2000 as a varint, field 2001 as bytes.
        let later: [UInt8] = [0x80, 0x7D, 0x05, 0x8A, 0x7D, 0x03, 1, 2, 3]
        #expect(try kind.rewrite(later + bytes + later) == bytes)
    }

    @Test("Records stay small enough to send for texts of any length, and a NUL in a text is replaced")
    func longTexts() throws {
        var random = SeededGenerator(seed: seed)
        let long = "\0" + String(repeating: "€", count: 1 << 20)
        let manifest = Manifest(
            ending: random.job(), attempts: 1, worker: long, finishedMilliseconds: 0,
            outcome: .failed(Failure(.corrupt, long)))
        let bytes = manifest.encoded()
        #expect(bytes.count < 32 * 1024)
        let read = try Manifest(record: bytes)
        #expect(read.worker == "\u{FFFD}" + String(repeating: "€", count: 84))
        guard case .failed(let failure) = read.outcome else { return #expect(Bool(false), "it completed") }
        #expect(failure.message == "\u{FFFD}" + String(repeating: "€", count: 1364))
        let letter = DeadLetter(
            topic: long, partition: 0, offset: 0, key: [], value: [UInt8](repeating: 1, count: 64 * 1024),
            failure: Failure(.corrupt, long), attempts: 1, worker: long, parkedMilliseconds: 0)
        #expect(try DeadLetter(record: letter.encoded()).value == letter.value)
    }

    @Test("Any number of results fits into records, in order, and only the last one has the cataloguer's progress")
    func manyResults() throws {
        var random = SeededGenerator(seed: seed)
        let long = String(repeating: "\0€", count: 4096)
        let results = (0..<700).map { number in
            let manifest = Manifest(
                ending: random.job(), attempts: UInt32(number), worker: long, finishedMilliseconds: 0,
                outcome: .failed(Failure(.corrupt, number.isMultiple(of: 9) ? long : "short")))
            return JobResult(of: manifest, traceparent: String(repeating: "x", count: 1024))
        }
        let offsets = Dictionary(uniqueKeysWithValues: (0..<1000).map { (Int32($0), Int64.max) })
        let all = JobResults(results: results, cluster: long, answered: offsets, highestPrecedence: 7)
        let records = all.records()
        #expect(records.count > 10 && records.allSatisfy { $0.count < 64 * 1024 })
        let read = try records.map { try JobResults(record: $0) }
        #expect(read.flatMap { $0.results.map(\.attempts) } == Array(0..<700))
        #expect(read.last?.answered == offsets && read.dropLast().allSatisfy { $0.answered.isEmpty })
    }

    @Test("Records over their limit are refused unparsed", arguments: RecordKind.all)
    func tooLarge(kind: RecordKind) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = kind.valid(&random)
        // Field 2000 as bytes, filling the record exactly to its limit.
        let filler = kind.limit - bytes.count - 5
        let head: [UInt8] = [
            0x82, 0x7D, UInt8(filler & 127) | 128, UInt8(filler >> 7 & 127) | 128, UInt8(filler >> 14),
        ]
        let full = bytes + head + [UInt8](repeating: 0, count: filler)
        #expect(try kind.rewrite(full) == bytes)
        #expect(throws: RecordError.self) { try kind.rewrite(full + [0x80, 0x7D, 0x05]) }
    }
}

extension SeededGenerator {
    /// One to four times, changes or removes a byte, or repeats a run of bytes elsewhere.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes.remove(at: index)
            default:
                let run = bytes[index...].prefix(Int.random(in: 1...40, using: &self))
                bytes.insert(contentsOf: run, at: Int.random(in: 0...bytes.count, using: &self))
            }
        }
        return bytes
    }
}
