import Digest
import Foundation
import Lenses
import Synchronization
import Testing

@testable import LensDatabase

/// This machine's lens table, cached between runs.
@Suite final class LensTableCacheTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "lens-cache-\(UUID())")
    private let makings = Counter()
    private var database: URL { folder.appending(path: "database") }
    private var cacheFile: URL { folder.appending(path: "cache/below/lens-table") }

    private final class Counter: Sendable {
        private let number = Mutex(0)
        func increase() { number.withLock { $0 += 1 } }
        var value: Int { number.withLock { $0 } }
    }

    init() throws {
        try FileManager.default.createDirectory(at: database, withIntermediateDirectories: true)
        try write("<lens/>", "one.xml")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: database.appending(path: name))
    }

    /// A database whose table depends on its files.
    private func cache(_ path: String? = "cache/below") -> LensTableCache {
        let (database, makings) = (database, makings)
        return LensTableCache(
            folder: path.map { folder.appending(path: $0).path },
            databaseFolders: [database.path, database.appending(path: "missing").path]
        ) {
            makings.increase()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: database.path).sorted()) ?? []
            let lenses = names.map {
                LensRecord(
                    makers: ["Maker"], names: [$0], mounts: ["M"], focalLengths: SIMD2(50, 50), minAperture: 2,
                    sensor: CalibrationSensor(cropFactor: 1),
                    vignetting: [VignettingPoint(focalLength: 50, aperture: 2, distance: 1, terms: .zero)])
            }
            return LensTable(cameras: [], lenses: lenses)
        }
    }

    @Test("The table is made once, and is the same when read again")
    func keptOnce() throws {
        let first = try #require(cache().table(isKept: true))
        let second = try #require(cache().table(isKept: true))
        #expect(first == second && makings.value == 1)
        #expect(try second.table().lenses.map(\.title) == ["Maker one.xml"])
        #expect(SHA256Value(of: second.bytes) == second.digest)
    }

    @Test("A new, changed or removed file, or another time of the same bytes, renews the table")
    func changes() throws {
        let original = try #require(cache().table(isKept: true))
        try write("<lens/>", "two.xml")
        #expect(try #require(cache().table(isKept: true)).table().lenses.count == 2)
        try write("<lens maker='other'/>", "two.xml")
        _ = cache().table(isKept: true)
        #expect(makings.value == 3)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: database.appending(path: "two.xml").path)
        _ = cache().table(isKept: true)
        #expect(makings.value == 4)
        try FileManager.default.removeItem(at: database.appending(path: "two.xml"))
        #expect(cache().table(isKept: true) == original && makings.value == 5)
    }

    @Test("A damaged cache is renewed: any wrong byte, truncation, or trailing bytes")
    func damage() throws {
        let table = try #require(cache().table(isKept: true))
        let whole = try Data(contentsOf: cacheFile)
        var damaged: [Data] = [Data(), whole + [0]]
        for place in whole.indices {
            var other = whole
            other[place] ^= 1
            damaged += [other, whole.prefix(place)]
        }
        for (number, bytes) in damaged.enumerated() {
            try bytes.write(to: cacheFile)
            let before = makings.value
            #expect(cache().table(isKept: true) == table, "\(number)")
            #expect(makings.value == before + 1, "\(number)")
            #expect(try Data(contentsOf: cacheFile) == whole, "\(number)")
        }
    }

    @Test("Without a folder, or if it is not writable, the table is made each time, silently")
    func notWritable() throws {
        try Data().write(to: folder.appending(path: "occupied"))
        for path in [nil, "occupied", "occupied/below"] {
            let before = makings.value
            #expect(cache(path).table(isKept: true) == cache(path).table(isKept: true))
            #expect(makings.value == before + 2)
        }
        #expect(cache().table(isKept: false) != nil && !FileManager.default.fileExists(atPath: cacheFile.path))
    }

    @Test("Renewal ignores the cached table")
    func renewed() throws {
        let table = try #require(cache().table(isKept: true))
        #expect(cache().renewed() == table && makings.value == 2)
    }

    @Test("Without a database there is no table, and nothing is cached")
    func noDatabase() {
        let cache = LensTableCache(folder: folder.appending(path: "cache").path, databaseFolders: []) { nil }
        #expect(cache.table(isKept: true) == nil && cache.renewed() == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "cache").path))
    }
}
