import Arguments
import CommandLineTool
import Decode
import Digest
import Jobs
import Manifests
import Storage
import Telemetry

/// The camera profiles that the command line selects: a .dcp file for every photo, or a folder of them, of which each photo
/// takes its camera's.
struct ProfileSelection {
    private let pack: CameraProfilePack
    /// By which recipes name them.
    let digest: SHA256Value

    /// Reads and checks the profiles before anything is started.
    ///
    /// - Throws: `UsageError` that names the file.
    init(_ argument: PathArgument, command: [String]) throws {
        let text = TerminalText.escape(argument.description)
        do {
            if let files = try Self.folder(argument.bytes, command) {
                pack = try CameraProfilePack(folder: files)
            } else {
                pack = try CameraProfilePack(
                    InputFile.read(
                        argument.bytes, for: "--dcp", limitBytes: UInt64(CameraProfilePack.maxBytes), command: command))
            }
        } catch let error as CameraProfileError {
            throw UsageError("--dcp: \(text): \(error).", command: command)
        }
        digest = SHA256Value(of: pack.bytes)
    }

    /// The .dcp files of a folder; nil for what is none.
    private static func folder(_ path: [UInt8], _ command: [String]) throws -> [(name: String, bytes: [UInt8])]? {
        guard let real = RealPath.of(path),
            let root = try? Root(path: String(decoding: real, as: UTF8.self)),
            let entries = try? root.entries(of: [])
        else { return nil }
        let names = entries.map(\.name).filter {
            String(decoding: $0.suffix(4), as: UTF8.self).lowercased() == ".dcp"
        }
        return try names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
            let bytes = try InputFile.read(
                real + [UInt8(ascii: "/")] + name, for: "--dcp", limitBytes: UInt64(CameraProfilePack.maxBytes),
                command: command)
            return (TerminalText.escape(name), bytes)
        }
    }

    /// Stores the profiles in the library, where every render process finds them.
    func store(in library: Root) throws {
        _ = try library.publish(pack.bytes, at: LibraryLayout.cameraProfiles(digest).bytes)
    }
}
