import ExternalTools
import Foundation

/// Stored files for a reader.
struct Cases {
    /// Sorted by name.
    let files: [(name: String, bytes: [UInt8])]

    /// Seeds of the fuzzer: small valid files.
    static func seeds(of reader: String) throws -> Cases { try Cases("Corpus/\(reader)") }

    /// Files that once made the reader fail.
    static func findings(of reader: String) throws -> Cases { try Cases("Findings/\(reader)") }

    private init(_ path: String) throws {
        let folder = Checkout.folder.appending(path: "Tests/Fuzz/\(path)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        files = try names.sorted().map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }
}
