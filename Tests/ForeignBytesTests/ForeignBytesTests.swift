import ForeignBytes
import Testing

/// Every reader of foreign bytes against the stored files and a few hundred mutations of them. `Deploy/fuzz` tries
/// millions.
struct ForeignBytesTests {
    @Test("Every reader has small seeds, and reads most of them without error", arguments: names)
    func seeds(name: String) throws {
        let reader = try #require(ForeignReaders.named(name))
        let seeds = try Cases.seeds(of: name).files
        #expect(!seeds.isEmpty)
        var refused: [String] = []
        for seed in seeds {
            #expect(seed.bytes.count <= 8192, "\(seed.name) slows every run down")
            do { try reader.read(seed.bytes) } catch { refused.append("\(seed.name): \(error)") }
        }
        #expect(refused.count * 2 <= seeds.count, "\(refused)")
    }

    @Test("Files that once made a reader fail are read or refused", arguments: names)
    func findings(name: String) throws {
        let reader = try #require(ForeignReaders.named(name))
        for finding in try Cases.findings(of: name).files { try? reader.read(finding.bytes) }
    }

    @Test("Mutated files are read or refused, and no reader crashes", arguments: names)
    func mutations(name: String) throws {
        let reader = try #require(ForeignReaders.named(name))
        let files = try Cases.seeds(of: name).files + Cases.findings(of: name).files
        for seed in 0..<UInt64(400) {
            var mutator = ByteMutator(seed: seed)
            try? reader.read(mutator.mutated(files[Int(seed) % files.count].bytes))
        }
    }

    @Test("Random bytes, a single byte and no bytes are read or refused", arguments: names)
    func anything(name: String) throws {
        let reader = try #require(ForeignReaders.named(name))
        try? reader.read([])
        for seed in 0..<UInt64(100) {
            var mutator = ByteMutator(seed: seed)
            try? reader.read([UInt8(seed)])
            try? reader.read(mutator.mutated([UInt8](repeating: UInt8(seed), count: Int(seed))))
        }
    }

    static let names = ForeignReaders.all.map(\.name)
}
