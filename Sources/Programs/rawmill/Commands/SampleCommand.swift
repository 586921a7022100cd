import Arguments
import CommandLineTool
import PictureFormat
import Pixels
import Samples
import Storage
import Telemetry

/// `rawmill sample`: writes RAW files for users without a camera.
enum SampleCommand {
    static let out: Parameter<PathArgument> = .required(
        "out", short: "o", "DIR", completion: .folders, help: "Folder to write to. Created if missing.")
    static let count: Parameter<Int> = .option(
        "count", "N", default: 8, must: .within(1...1_000_000), help: "Number of files.")
    static let megapixels: Parameter<Double> = .option(
        "megapixels", "M", default: 24, must: .within(0.01...100), help: "Size of each picture, in megapixels.")
    static let first: Parameter<Int> = .option(
        "first", "NUMBER", default: 1, must: .within(0...1_000_000_000),
        help: "Number of the first scene. Each number is a different scene.")

    static let command: Command = Command(
        "sample", summary: "Write sample RAW files (Bayer DNG) of generated landscapes.",
        discussion: """
            The same number and size give the same file on every machine. Existing files are kept.
            """,
        examples: [.init("rawmill sample --out raw --count 8 --megapixels 24", "eight RAWs of 24 megapixels")],
        parameters: [out, count, megapixels, first]
    ) { values in
        let folder = values[out].description
        let root = try Root(path: folder, creating: true)
        let size = Sample.size(megapixels: values[megapixels])
        var written: UInt64 = 0
        for number in values[first]..<(values[first] + values[count]) {
            written += try write(number, in: root) { Sample.dng(index: number, size: size) }
        }
        let photos = values[count] == 1 ? "1 RAW file" : "\(values[count]) RAW files"
        let facts = "\(size.width) × \(size.height) pixels, \(NumberText.bytes(written))"
        TextOutput.standardOutput.write(line: "\(photos) in \(TerminalText.escape(folder)) (\(facts)).")
        let next = "rawmill convert \(TerminalText.escape(folder)) --library film"
        TextOutput.standardOutput.write(line: "Next: \(next)")
        return ExitStatus.done
    }

    /// Creates the file completely or not at all, even if interrupted.
    private static func write(_ number: Int, in root: Root, _ bytes: () -> [UInt8]) throws -> UInt64 {
        let publication = try root.publish(bytes(), at: Array(Sample.name(number).utf8))
        if publication.outcome == .kept {
            throw CommandFailure(
                "\(root.path)/\(Sample.name(number)) exists with other contents: use another --out or --first."
            )
        }
        return publication.sizeBytes
    }
}
