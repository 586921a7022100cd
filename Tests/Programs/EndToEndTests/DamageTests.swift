import ExternalTools
import Foundation
import Samples
import SeededRandom
import Testing

/// Generated damaged RAWs: each is classified, and a damaged picture is never published as good.
///
/// `RAWMILL_DAMAGED_FILES` sets their number (default 500), `RAWMILL_DAMAGE_SEED` repeats a run.
@Suite(.serialized) struct DamageTests {
    private enum Damage: CaseIterable {
        case truncated, flippedBits, flippedHeader, lyingHeader, zeroed, repeated, swollen
    }

    private struct Damaged {
        let name: String
        let kind: Damage
        /// Whether bytes of pixels changed.
        let touchesPixels: Bool
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test("Hundreds of damaged RAWs are each classified, and no damaged picture is published as good", .night)
    func damaged() throws {
        let seed = Self.number("RAWMILL_DAMAGE_SEED") ?? .random(in: 0...UInt64.max)
        let count = Int(Self.number("RAWMILL_DAMAGED_FILES") ?? 500)
        print("damage: \(count) files, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.1)
        let good = try Data(contentsOf: workspace.raw.appending(path: "sample-0001.dng"))
        var files: [String: Damaged] = [:]
        for number in 0..<count {
            let (bytes, damaged) = Self.damage([UInt8](good), number, &random)
            files[damaged.name] = damaged
            try Data(bytes).write(to: workspace.raw.appending(path: damaged.name))
        }
        let ended = try workspace.convert("--json", "--deadline", "20")
        #expect(ended.status == 3, "\(ended.errors)")
        let summary = try #require(try ended.events("summary").first)
        #expect(summary["accepted"] as? Int == count + 1 && summary["open"] as? Int == 0)
        try judge(ended, files, workspace)
        let audit = LibraryAudit(library: workspace.library)
        try audit.checkLedger()
        try audit.checkFiles()
        try audit.checkQuiet()
    }

    private func judge(_ ended: Rawmill.Ended, _ files: [String: Damaged], _ workspace: Workspace) throws {
        var reasons: [String: Int] = [:]
        for event in try ended.events("failed") {
            let reason = event["reason"] as? String ?? ""
            reasons[reason, default: 0] += 1
            #expect(["corrupt", "not-raw", "unsupported-camera", "too-large"].contains(reason), "\(event)")
        }
        let completed = try ended.events("completed")
        let undamaged = try #require(completed.first { self.name($0) == "sample-0001.dng" })
        let reference = try pixels(undamaged)
        var good = 0
        for event in completed where event["degraded"] is NSNull {
            guard let damaged = files[name(event)] else { continue }
            good += 1
            // The damage does not affect the picture, or not visibly.
            if damaged.touchesPixels {
                #expect(try pixels(event) == reference, "\(damaged.kind) in \(damaged.name) was published as good")
            }
        }
        print("damage: \(reasons.sorted { $0.key < $1.key }), \(completed.count) rendered, \(good) of them good")
        #expect(ended.errors.split(separator: "\n").filter { $0.contains("level=error") }.isEmpty, "\(ended.errors)")
    }

    private func name(_ event: [String: Any]) -> String {
        (event["source"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
    }

    /// The compressed picture without its metadata.
    private func pixels(_ event: [String: Any]) throws -> Data {
        let photo = try #require(event["photo"] as? String)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: photo)))
        // The segments before the tables are APPn: metadata, with a thumbnail that is itself a JPEG.
        var offset = 2
        while offset + 4 < bytes.count, (0xE0...0xEF).contains(bytes[offset + 1]) {
            offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
        }
        return Data(bytes[offset...])
    }

    private static func damage(
        _ whole: [UInt8], _ index: Int, _ random: inout SeededGenerator
    ) -> ([UInt8], Damaged) {
        let kind = Damage.allCases[index % Damage.allCases.count]
        var bytes = whole
        let header = headerBytes(whole)
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        switch kind {
        case .truncated: bytes = Array(bytes.prefix(number(0..<bytes.count)))
        case .flippedBits:
            for _ in 0..<number(1..<20) { bytes[number(header..<bytes.count)] ^= 1 << UInt8(number(0..<8)) }
        case .flippedHeader: for _ in 0..<number(1..<6) { bytes[number(0..<header)] ^= 1 << UInt8(number(0..<8)) }
        case .lyingHeader: for _ in 0..<4 { bytes[number(8..<header)] = UInt8(number(0..<256)) }
        case .zeroed:
            let start = number(0..<bytes.count)
            for index in start..<min(bytes.count, start + number(1..<4096)) { bytes[index] = 0 }
        case .repeated:
            let start = number(header..<bytes.count)
            bytes.insert(contentsOf: bytes[start..<min(bytes.count, start + number(1..<4096))], at: start)
        case .swollen: bytes += (0..<number(1..<100_000)).map { UInt8(truncatingIfNeeded: $0) }
        }
        let touches = bytes.count < whole.count || bytes[header..<whole.count] != whole[header...]
        let digits = String(repeating: "0", count: 4 - String(index).count) + String(index)
        return (bytes, Damaged(name: "damaged-\(digits).dng", kind: kind, touchesPixels: touches))
    }

    /// Beginning of the compressed samples, or end of the part before the tables: a lossless JPEG's first marker, or
    /// everything from there on if tables follow.
    private static func headerBytes(_ bytes: [UInt8]) -> Int {
        bytes.indices.dropLast(4).first { bytes[$0...].starts(with: [0xFF, 0xD8, 0xFF]) } ?? 8
    }
}
