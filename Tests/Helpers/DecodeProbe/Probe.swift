import Decode
import Foundation
import Pixels
import Samples

/// Decodes damaged versions of a file and prints a line for each: `seed kind outcome`. A process of its own, because
/// LibRaw may fall over; whoever started it goes on with the next seed.
///
/// usage: decode-probe FILE FIRST-SEED COUNT
@main
struct Probe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let first = UInt64(arguments[2]), let count = UInt64(arguments[3]) else {
            print("usage: decode-probe FILE FIRST-SEED COUNT")
            exit(64)
        }
        let original = [UInt8](try Data(contentsOf: URL(filePath: arguments[1])))
        guard case .decoded(let good) = Outcome(of: original) else {
            print("the file itself does not decode")
            exit(65)
        }
        let files = DamagedFiles(original)
        for seed in first..<first + count {
            let file = files.file(seed: seed)
            say("\(seed) \(file.damage) ")
            switch Outcome(of: file.bytes) {
            case .failed(let reason): say(reason + "\n")
            case .decoded(let digest): say(digest == good ? "same\n" : "DIFFERENT\n")
            }
        }
    }
}

/// Unbuffered: what was said before a crash is not lost.
func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

enum Outcome {
    case decoded([UInt8])
    case failed(String)

    init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { buffer in
            do throws(DecodeError) {
                let raw = try RawFile(bytes: buffer)
                _ = try raw.metadata()
                _ = try raw.embeddedPreview()
                let image = try raw.decode()
                return .decoded(image.plane.rawImageDigest(samplesPerPixel: image.facts.layout.samplesPerPixel))
            } catch {
                return .failed(error.reason.rawValue)
            }
        }
    }
}
