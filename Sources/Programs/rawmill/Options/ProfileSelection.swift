import Arguments
import CommandLineTool
import Digest
import Jobs
import Manifests
import PictureFormat
import RenderHost
import Storage
import Telemetry

/// The selected camera profiles: a .dcp file for every photo, or a folder of them, in which each photo finds its
/// camera's.
struct ProfileSelection {
    /// Packed, as stored in a library.
    private let bytes: [UInt8]
    let digest: SHA256Value

    /// The limit in characters: enough for the names of two files.
    private static let maxReason = 1000

    /// Reads and checks the profiles before any work starts. Throws `UsageError` with the file.
    init(_ argument: PathArgument, command: [String]) throws {
        let text = TerminalText.escape(argument.description)
        do {
            let files = try Self.folder(argument.bytes, command)
            bytes = try RenderProgram.best.pack(
                files.map { .cameraProfiles($0) } ?? .cameraProfile(Self.file(argument.bytes, command)))
        } catch let error as RenderInquiryRefusal {
            // A profile may control the process that wrote it; all errors are printed without control characters.
            throw UsageError("--dcp: \(text): \(error.description.prefix(Self.maxReason)).", command: command)
        }
        digest = SHA256Value(of: bytes)
    }

    /// The .dcp files of a folder; nil if it is not a folder.
    private static func folder(_ path: [UInt8], _ command: [String]) throws -> [RenderInquiry.NamedFile]? {
        guard let real = RealPath.of(path),
            let root = try? Root(path: String(decoding: real, as: UTF8.self)),
            let entries = try? root.entries(of: [])
        else { return nil }
        let names = entries.map(\.name).filter {
            String(decoding: $0.suffix(4), as: UTF8.self).lowercased() == ".dcp"
        }
        var size = 0
        return try names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
            let bytes = try file(real + [UInt8(ascii: "/")] + name, command)
            size += bytes.count
            guard size <= DecodeLimits.cameraProfileBytes else {
                throw RenderInquiryRefusal(
                    "the profiles are larger than \(DecodeLimits.cameraProfileBytes >> 20) MB; give those you need")
            }
            return RenderInquiry.NamedFile(name: String(decoding: name, as: UTF8.self), bytes: bytes)
        }
    }

    private static func file(_ path: [UInt8], _ command: [String]) throws -> [UInt8] {
        try InputFile.read(
            path, for: "--dcp", limitBytes: UInt64(DecodeLimits.cameraProfileBytes), command: command)
    }

    /// Stores the profiles in the library, where every render process finds them.
    func store(in library: Root) throws {
        _ = try library.publish(bytes, at: LibraryLayout.cameraProfiles(digest).bytes)
    }
}
