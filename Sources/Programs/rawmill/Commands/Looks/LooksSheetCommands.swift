import Arguments
import CommandLineTool
import Glibc
import Looks
import PNG
import PictureFormat
import Storage
import Telemetry

/// `rawmill looks sheet` and `rawmill looks compare`: one photo in several looks, in one picture.
enum LooksSheetCommands {
    static let photo: Parameter<PathArgument> = .positional("PHOTO", completion: .files, help: "RAW file.")
    static let looks: Parameter<[CollectedValue<LookListArgument>]> = .collected(
        "looks", "LOOK[,LOOK]…", completion: .wordsOrFiles(LookSelection.builtInNames),
        help: "Looks as for --look, separated by commas. (default: all of Rawmill's)")
    static let look: Parameter<[CollectedValue<LookListArgument>]> = .collected(
        "look", "LOOK", isHidden: true, help: "Same as --looks.")
    static let edge: Parameter<Int> = .option(
        "long-edge", "PIXELS", default: 480, must: .within(64...4096), help: "Long edge of each picture, in pixels.")
    static let columns: Parameter<Int?> = .optional(
        "columns", "N", must: .within(1...100), help: "Pictures per row. (default: chosen for a balanced sheet)")
    static let out: Parameter<PathArgument?> = .optional(
        "out", short: "o", "FILE", completion: .files,
        help: "PNG file to create. It must not exist. (default: the photo's name in the current folder)")

    static let sheet: Command = Command(
        "sheet", summary: "Write a PNG sheet of one photo in many looks.",
        discussion: """
            The RAW is decoded once, in a sandboxed render process.
            """,
        examples: [
            .init("rawmill looks sheet IMG_0412.nef", "IMG_0412.looks.png, with every look"),
            .init("rawmill looks sheet IMG_0412.nef --looks velvet,clear -o two.png", "two of them"),
            .init("rawmill looks sheet IMG_0412.nef --looks 'velvet(push=1,grain=0),mono'", "with adjustments"),
        ],
        parameters: [photo, looks, look, edge, columns, out, StatusCommand.library]
    ) { values in
        let given = (values[looks] + values[look]).flatMap(\.value.looks)
        let arguments = given.isEmpty ? usual : given
        return try await rendered(arguments, values) { frames in
            let picture = ContactSheet.picture(title: title(values), frames, columns: values[columns])
            try write(picture, ending: "looks", values)
        }
    }

    static let first: Parameter<PathArgument> = .positional(
        "LOOK", completion: .words(LookSelection.builtInNames), help: "First look, as for --look.")
    static let second: Parameter<PathArgument> = .positional(
        "OTHER", completion: .words(LookSelection.builtInNames), help: "Second look.")

    static let compare: Command = Command(
        "compare", summary: "Write a PNG of one photo in two looks, with their difference.",
        discussion: """
            The third picture is the difference of each channel, amplified four times; black means equal.
            """,
        examples: [.init("rawmill looks compare IMG_0412.nef velvet 'velvet(push=1)'", "the effect of pushing")],
        parameters: [photo, first, second, edge, out, StatusCommand.library]
    ) { values in
        try await rendered([values[first], values[second]], isPair: true, values) { frames in
            let difference = PictureDifference(frames[0].picture, frames[1].picture)
            let label = "difference, amplified \(PictureDifference.gain) times"
            try write(
                ContactSheet.picture(
                    title: title(values), frames + [.init(label: label, picture: difference.picture)], columns: 3),
                ending: "compare", values)
            TextOutput.standardOutput.write(
                line: "Mean difference \(tenths(difference.mean)), largest \(tenths(difference.largest)) of 255.")
        }
    }

    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    /// The newest version of each of Rawmill's own looks, with `neutral` first.
    private static var usual: [PathArgument] {
        var names = LookSelection.builtInNames.filter { $0 != "neutral" }
        names = names.enumerated().filter { $0.offset == 0 || names[$0.offset - 1] != $0.element }.map(\.element)
        return (["neutral"] + names).map { PathArgument(text: $0) }
    }

    private static func title(_ values: ArgumentValues) -> String {
        let name = values[photo].description.split(separator: "/").last.map(String.init) ?? ""
        return TerminalText.escape(name)
    }

    /// Renders the photo in each look with `convert`, into a temporary folder.
    ///
    /// - Parameter isPair: whether there must be two different looks.
    private static func rendered(
        _ arguments: [PathArgument], isPair: Bool = false, _ values: ArgumentValues,
        _ body: ([ContactSheet.Frame]) throws -> Void
    ) async throws -> Int32 {
        var looks: [Look] = []
        for argument in arguments {
            let look = try await LookSelection(
                argument, LookAdjustments(), library: values[StatusCommand.library],
                source: SettingSource(values.command)
            ).look
            if !looks.contains(where: { $0.name == look.name && $0.digest == look.digest }) { looks.append(look) }
        }
        guard looks.count > 1 || !isPair else {
            throw UsageError("the two looks are the same: give two different looks.", command: values.command)
        }
        try checkOutput(values)
        let folder = try temporaryFolder()
        defer { try? Root(path: folder.parent).removeTree(Array(folder.name.utf8)) }
        let path = "\(folder.parent)/\(folder.name)"
        var words = [
            "convert", "--quiet", "--out", "\(path)/out", "--state", "\(path)/state", "--name", "{look}/{base}.{ext}",
            "--format", "png", "--long-edge", "\(values[edge])",
        ].map { Array($0.utf8) }
        for argument in arguments { words += [Array("--look".utf8), argument.bytes] }
        words += [Array("--".utf8), values[photo].bytes]
        guard case .run(let convert, let given) = try RawmillCommands.program.parse(words) else {
            throw CommandFailure("convert cannot run", status: ExitStatus.fault)
        }
        let status = try await convert(given)
        guard status == ExitStatus.done else { return status }
        let out = try Root(path: "\(path)/out")
        let frames = try looks.map { look in
            // The first frame, if a RAW has several.
            let names = try out.entries(of: Array(look.name.utf8)).map(\.name)
            guard let name = names.min(by: { $0.lexicographicallyPrecedes($1) }) else {
                throw CommandFailure("no photo was rendered with the look \(look.identifier)", status: ExitStatus.fault)
            }
            let bytes = try out.contents(of: Array("\(look.name)/".utf8) + name, limitBytes: 1 << 30)
            let text = look.hasOwnVersion ? look.identifier : look.name
            return ContactSheet.Frame(label: text, picture: try PNGPicture(bytes))
        }
        try body(frames)
        return ExitStatus.done
    }

    private static func temporaryFolder() throws -> (parent: String, name: String) {
        let parent = CommandLineBytes.temporaryFolder
        var template = Array("\(parent)/rawmill-looks-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
        guard unsafe mkdtemp(&template) != nil else {
            throw unsafe CommandFailure("cannot create a folder in \(parent): \(String(cString: strerror(errno)))")
        }
        let path = template.dropLast().map { UInt8(bitPattern: $0) }
        return (parent, String(decoding: path.suffix(20), as: UTF8.self))
    }

    private static func outputPath(_ ending: String, _ values: ArgumentValues) -> [UInt8] {
        if let given = values[out] { return given.bytes }
        let name = values[photo].bytes.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
        let base = name.lastIndex(of: UInt8(ascii: ".")).map { Array(name[..<$0]) } ?? name
        return base + Array(".\(ending).png".utf8)
    }

    private static func checkOutput(_ values: ArgumentValues) throws(UsageError) {
        guard let given = values[out] else { return }
        guard given.description.lowercased().hasSuffix(".png") else {
            throw UsageError("--out: a sheet is a PNG picture: end the name with .png.", command: values.command)
        }
    }

    private static func write(_ picture: PNGPicture, ending: String, _ values: ArgumentValues) throws {
        let path = outputPath(ending, values)
        try OutputFile.write(try picture.encoded(), to: path, command: values.command)
        let size = picture.size
        TextOutput.standardOutput.write(
            line: "\(TerminalText.escape(path)): \(size.width) × \(size.height) pixels.")
    }
}
