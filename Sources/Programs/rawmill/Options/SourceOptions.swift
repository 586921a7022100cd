import Arguments
import CommandLineTool
import Coordinator
import Glibc
import Jobs
import Storage
import Telemetry

enum SourceOptions {
    private static let group = "The files"

    static let sources: Parameter<[PathArgument]> = .positionals(
        "SOURCE", atLeastOne: false, completion: .files,
        help: "RAW files, and folders to search for them; - reads a list from standard input.")
    static let filesFrom: Parameter<[CollectedValue<PathArgument>]> = .collected(
        "files-from", "FILE", group: group, completion: .files,
        help: """
            Also read sources from this file, one per line or separated by zero bytes; - is standard input.
            """)
    static let excluded: Parameter<[CollectedValue<GlobArgument>]> = .collected(
        "exclude", "GLOB", group: group,
        help: "Leave out files and folders with this name: *_HDR.dng, private/, 2019/*; can be repeated.")
    static let minRating: Parameter<Int?> = .optional(
        "min-rating", "N", must: .within(-1...5), group: group,
        completion: .words((-1...5).map { "\($0)" }),
        help: "Convert only photos with at least this many stars, in the sidecar or the RAW.")

    static let choice: [any AnyParameter] = [filesFrom, excluded, minRating]
    static let all: [any AnyParameter] = [sources] + choice

    static func filter(_ values: ArgumentValues) -> SourceFilter {
        SourceFilter(excluded: values[excluded].map(\.value.glob), minRating: values[minRating])
    }

    /// All sources in their order, those of lists last. Throws `UsageError` if there are none, or a list cannot be
    /// read.
    ///
    /// - Parameter sources: the positional parameter for sources.
    static func paths(
        _ values: ArgumentValues, sources: Parameter<[PathArgument]> = sources
    ) throws -> [[UInt8]] {
        let dash = Array("-".utf8)
        let given = values[sources].map(\.bytes)
        var lists = values[filesFrom].map(\.value.bytes)
        if given.contains(dash), !lists.contains(dash) { lists.append(dash) }
        var paths = given.filter { $0 != dash }
        for list in lists { paths += Self.paths(inList: try contents(of: list, values.command)) }
        guard !paths.isEmpty else {
            let cause = lists.isEmpty ? "SOURCE is missing" : "The list of sources is empty"
            throw UsageError("\(cause): give RAW files, or folders to search for them.", command: values.command)
        }
        return paths
    }

    /// Zero bytes separate paths if there are any, as from `find -print0`; otherwise line ends do.
    static func paths(inList bytes: [UInt8]) -> [[UInt8]] {
        guard !bytes.contains(0) else { return bytes.split(separator: 0).map { Array($0) } }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let path = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return path.isEmpty ? nil : Array(path)
        }
    }

    private static let maxListBytes: UInt64 = 1 << 30

    private static func contents(of list: [UInt8], _ command: [String]) throws -> [UInt8] {
        guard list == Array("-".utf8) else {
            return try InputFile.read(list, for: "--files-from", limitBytes: maxListBytes, command: command)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe Glibc.read(0, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw CommandFailure("standard input cannot be read: \(unsafe String(cString: strerror(errno))).")
            }
            bytes += buffer[..<count]
            guard bytes.count <= maxListBytes else {
                throw CommandFailure("the list on standard input is longer than 1 GB: use folders instead.")
            }
        }
    }
}

struct GlobArgument: ArgumentValue {
    let glob: Glob
    let bytes: [UInt8]
    let argumentText: String

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let glob = Glob(argument) else { throw InvalidArgument("a pattern like *.dng, private/ or 2019/*") }
        self.glob = glob
        bytes = argument
        argumentText = String(decoding: argument, as: UTF8.self)
    }
}
