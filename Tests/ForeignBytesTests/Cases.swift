import ExternalTools
import Foundation

/// Files that are kept for a reader.
struct Cases {
    /// In the order of their names.
    let files: [(name: String, bytes: [UInt8])]

    /// Seeds that fuzzing begins with: small files as they should be.
    static func seeds(of reader: String) throws -> Cases { try Cases("Corpus/\(reader)") }

    /// Files on which the reader once failed.
    static func findings(of reader: String) throws -> Cases { try Cases("Findings/\(reader)") }

    private init(_ path: String) throws {
        let folder = Checkout.folder.appending(path: "Tests/Fuzz/\(path)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        files = try names.sorted().map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }
}
