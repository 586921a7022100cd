import CameraFiles
import FileDamage
import Foundation
import Samples

/// Decodes files and prints each result. A separate process, because LibRaw may crash; its parent then continues with
/// the next seed.
@main
struct Probe {
    private static let usage = """
        usage: decode-probe FILE FIRST-SEED COUNT [SECONDS MEBIBYTES]
                   damaged versions of a file, a line for each: seed, damage, outcome; with limits also milliseconds and
                   the peak of memory in MiB. A version that takes longer ends the process by SIGALRM.
               decode-probe whole FILE…
                   the files as they are, a line for each: name, outcome
               decode-probe libraw FILE…
                   the same with samples by LibRaw alone
               decode-probe samples FOLDER
                   writes samples of every kind into the folder
               decode-probe forms FOLDER
                   writes a small file of each form that cameras write into the folder
               decode-probe wrong-parser (checked | unchecked) (index | overflow)

        """

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("wrong-parser", 3): say("\(try wrongResult(settings: arguments[1], mistake: arguments[2]))\n")
        case ("samples", 2): try writeSamples(to: URL(filePath: arguments[1]))
        case ("forms", 2): try writeForms(to: URL(filePath: arguments[1]))
        case ("whole", 2...):
            for name in arguments.dropFirst() {
                let outcome = Outcome(of: [UInt8](try Data(contentsOf: URL(filePath: name))))
                say("\(URL(filePath: name).lastPathComponent) \(outcome.word(originals: []))\n")
            }
        case ("libraw", 2...):
            for name in arguments.dropFirst() {
                let outcome = Outcome(byLibRaw: [UInt8](try Data(contentsOf: URL(filePath: name))))
                say("\(URL(filePath: name).lastPathComponent) \(outcome.word(originals: []))\n")
            }
        case (let name?, 3), (let name?, 5):
            guard let first = UInt64(arguments[1]), let count = UInt64(arguments[2]) else { fallthrough }
            let limits = arguments.count == 5 ? Limits(seconds: arguments[3], mebibytes: arguments[4]) : nil
            guard arguments.count == 3 || limits != nil else { fallthrough }
            try decodeDamaged(URL(filePath: name), seeds: first..<first + count, limits)
        default:
            say(usage)
            exit(64)
        }
    }

    private static func decodeDamaged(_ file: URL, seeds: Range<UInt64>, _ limits: Limits?) throws {
        let original = [UInt8](try Data(contentsOf: file))
        let pictures = Outcome.pictures(in: original)
        guard !pictures.isEmpty || limits != nil else {
            say("the undamaged file does not decode\n")
            exit(65)
        }
        limits?.limitMemory()
        let files = DamagedFiles(original)
        for seed in seeds {
            let file = files.file(seed: seed)
            say("\(seed) \(file.damage) ")
            guard let limits else {
                say(Outcome(of: file.bytes).word(originals: pictures) + "\n")
                continue
            }
            let (word, figures) = limits.measured { Outcome(of: file.bytes).word(originals: pictures) }
            say("\(word) \(figures)\n")
        }
    }

    private static func writeSamples(to folder: URL) throws {
        for (name, bytes) in SampleKinds.all {
            try Data(bytes()).write(to: folder.appending(path: name + ".dng"))
        }
    }

    /// LibRaw does not recognise small compressed X-Trans files as those of an X-T3, and unpacks them itself: slowly,
    /// and crashing on damage.
    private static func writeForms(to folder: URL) throws {
        for form in CameraForm.all where !["compressed-xtrans-14.raf", "lossy-xtrans-14.raf"].contains(form.name) {
            try Data(form.bytes(Sample.size(megapixels: 0.4))).write(to: folder.appending(path: form.name))
        }
    }
}

/// Unbuffered, so that a crash loses no output.
private func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
