import Arguments
import CommandLineTool
import Digest
import Jobs
import PictureFormat
import Pixels

enum ConvertOptions {
    private static let run = "The run"
    private static let output = "Output"

    static let library: Parameter<String?> = .optional(
        "library", short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders,
        help: "Folder of the library. Created if missing. Give this or --out.")

    static let originals: Parameter<EnumArgument<OriginalsPolicy>> = .option(
        "originals", "POLICY", default: EnumArgument(.reference), group: run,
        help: """
            What to do with the RAWs: leave them (reference), copy them beside the photos, or move them there. \
            Copies are verified.
            """)
    static let retryFailed: Parameter<Bool> = .flag(
        "retry-failed", group: run, help: "Retry files that failed before.")
    static let dryRun: Parameter<Bool> = .flag(
        "dry-run", short: "n", group: output, help: "Show what would be done, and change nothing.")

    static let all: [any AnyParameter] =
        SourceOptions.all + [library, DatabaseOption.parameter] + ExportOptions.all + SettingOptions.all + [
            originals, retryFailed,
        ] + WorkerOptions.all
        + [dryRun] + ReportOptions.all + PageOptions.all
}

/// A number of bytes: `500M`, `2G`, `1.5G`. The units are powers of 1000.
struct ByteCountArgument: ArgumentValue, Hashable {
    let bytes: UInt64

    init(bytes: UInt64) { self.bytes = bytes }

    init(argument: [UInt8]) throws(InvalidArgument) {
        let units: [UInt8: Double] = [
            UInt8(ascii: "k"): 1e3, UInt8(ascii: "K"): 1e3, UInt8(ascii: "M"): 1e6, UInt8(ascii: "G"): 1e9,
            UInt8(ascii: "T"): 1e12,
        ]
        let unit = argument.last.flatMap { units[$0] }
        let digits = String(decoding: unit == nil ? argument[...] : argument.dropLast(), as: UTF8.self)
        guard let number = Double(digits), (0...1e6).contains(number) || unit == nil, number >= 0,
            number * (unit ?? 1) < 1e18
        else { throw InvalidArgument("a size like 500M or 2G") }
        bytes = UInt64(number * (unit ?? 1))
    }

    var argumentText: String {
        for (size, unit) in [(UInt64(1_000_000_000), "G"), (1_000_000, "M"), (1000, "k")] where bytes >= size {
            if bytes.isMultiple(of: size) { return "\(bytes / size)\(unit)" }
        }
        return "\(bytes)"
    }
}
