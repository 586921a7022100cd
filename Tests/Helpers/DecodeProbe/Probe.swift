import Decode
import Foundation
import Pixels
import Samples

/// Decodes damaged versions of a file and prints a line for each: `seed kind outcome`. It is a process of its own because
/// LibRaw may crash; its parent continues with the next seed.
///
/// usage: decode-probe FILE FIRST-SEED COUNT
///        decode-probe wrong-parser (checked | unchecked) (index | overflow)
@main
struct Probe {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "wrong-parser" {
            return say("\(try wrongResult(settings: arguments[2], mistake: arguments[3]))\n")
        }
        guard arguments.count == 4, let first = UInt64(arguments[2]), let count = UInt64(arguments[3]) else {
            print("usage: decode-probe FILE FIRST-SEED COUNT")
            print("       decode-probe wrong-parser (checked | unchecked) (index | overflow)")
            exit(64)
        }
        try decodeDamaged(URL(filePath: arguments[1]), seeds: first..<first + count)
    }

    private static func decodeDamaged(_ file: URL, seeds: Range<UInt64>) throws {
        let original = [UInt8](try Data(contentsOf: file))
        guard case .decoded(let digest) = Outcome(of: original) else {
            print("the file itself does not decode")
            exit(65)
        }
        let files = DamagedFiles(original)
        for seed in seeds {
            let file = files.file(seed: seed)
            say("\(seed) \(file.damage) ")
            switch Outcome(of: file.bytes) {
            case .failed(let reason): say(reason + "\n")
            case .decoded(let found): say(found == digest ? "same\n" : "DIFFERENT\n")
            }
        }
    }
}

/// Prints without a buffer, so that nothing is lost in a crash.
private func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

private enum Outcome {
    case decoded([UInt8])
    case failed(String)

    init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { buffer in
            do throws(DecodeError) {
                let raw = try RawFile(bytes: buffer)
                _ = try raw.metadata()
                _ = try raw.embeddedPreview()
                _ = try raw.smallPreviews()
                let image = try raw.decode()
                return .decoded(image.plane.rawImageDigest(samplesPerPixel: image.facts.layout.samplesPerPixel))
            } catch {
                return .failed(error.reason.rawValue)
            }
        }
    }
}
