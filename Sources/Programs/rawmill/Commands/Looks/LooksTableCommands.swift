import Arguments
import CommandLineTool
import Develop
import Looks
import Pixels
import Storage
import Telemetry

/// `rawmill looks export` and `rawmill looks identity`: tables for other programs.
enum LooksTableCommands {
    static let look: Parameter<PathArgument> = .positional(
        "LOOK", completion: .words(LookSelection.builtInNames),
        help: "Look as for --look: NAME, a file, or a chain.")
    static let format: Parameter<EnumArgument<TableFile.Format>?> = .optional(
        "format", "FORMAT",
        help: "Format: cube or hald. (default: hald if the file name ends in .png, otherwise cube)")
    static let size: Parameter<Int?> = .optional(
        "size", "N", must: .within(2...129),
        help: "Points per edge of a cube (default: 33), or level of a Hald image, 2 to 16 (default: 8).")
    static let bits: Parameter<Int> = .option(
        "bits", "BITS", default: 16, must: .within(8...16), completion: .words(["8", "16"]),
        help: "Bits per channel of a Hald image: 8 or 16.")
    static let out: Parameter<PathArgument?> = .optional(
        "out", short: "o", "FILE", completion: .files,
        help: "File to create. It must not exist. (default: the look's name in the current folder)")

    static let export: Command = Command(
        "export", summary: "Export a look as a table for other programs.",
        discussion: """
            The table maps sRGB display colours to sRGB display colours. For a film look, its input is a picture \
            developed with the look neutral. A table holds colour only: grain, halation, CIVignette, CIEdges and \
            CIMotionBlur are left out, with a note.
            """,
        examples: [
            .init("rawmill looks export velvet", "velvet.cube, for most programs"),
            .init(
                "rawmill looks export 'silver+selenium' --format hald -o print.png", "for programs that use Hald images"
            ),
        ],
        parameters: [look, format, size, bits, out, StatusCommand.library]
    ) { values in
        let selected = try await LookSelection(
            values[look], LookAdjustments(), library: values[StatusCommand.library],
            source: SettingSource(values.command))
        let (look, stage) = (selected.look, selected.look.stage())
        let (format, size) = try checkedSize(values)
        let missing = missing(stage)
        var comments = ["Made by Rawmill of \(look.identifier). In and out: display-encoded sRGB."]
        comments += missing.map { "Without \($0), which a table cannot hold." }
        let points = LookSampling.points(stage, size: format.edge(ofSize: size))
        let path = values[out]?.bytes ?? Array((look.name + format.ending).utf8)
        try write(points, format, size, title: look.identifier, comments, to: path, values)
        for part in missing {
            TextOutput.standardError.write(
                line: "rawmill: \(part) of \(look.identifier) is not included: a table holds only colours.")
        }
        return ExitStatus.done
    }

    static let identity: Command = Command(
        "identity", summary: "Write the identity table, to edit in other programs.",
        discussion: """
            Edit it as a picture (curves and colours only, no filter that looks at neighbouring pixels), save it as \
            PNG without resizing, and import it: `rawmill looks import`.
            """,
        examples: [.init("rawmill looks identity --format hald", "identity.png, 512 × 512 pixels")],
        parameters: [format, size, bits, out]
    ) { values in
        let (format, size) = try checkedSize(values)
        let points = TableFile.identity(edge: format.edge(ofSize: size))
        let path = values[out]?.bytes ?? Array(("identity" + format.ending).utf8)
        try write(points, format, size, title: "identity", [], to: path, values)
        return ExitStatus.done
    }

    private static func missing(_ stage: any RowStage) -> [String] {
        var missing = stage.film?.texture == nil ? [] : ["the film's grain and halation"]
        for step in stage.steps?.steps ?? [] {
            switch step {
            case .colours: continue
            case .shade: missing.append("the shade of CIVignette")
            case .neighbours(.motionBlur, _): missing.append("CIMotionBlur")
            case .neighbours(.edges, _): missing.append("CIEdges")
            }
        }
        return missing
    }

    private static func checkedSize(_ values: ArgumentValues) throws(UsageError) -> (TableFile.Format, Int) {
        let isNamedPicture = values[out].map {
            String(decoding: $0.bytes, as: UTF8.self).lowercased().hasSuffix(".png")
        }
        let format = values[format]?.value ?? (isNamedPicture == true ? .hald : .cube)
        let size = values[size] ?? format.usualSize
        guard format.sizes.contains(size) else {
            throw UsageError(
                "--size: a \(format == .cube ? "cube has" : "Hald image has level") \(format.sizes.lowerBound) to "
                    + "\(format.sizes.upperBound).",
                command: values.command)
        }
        guard [8, 16].contains(values[bits]) else {
            throw UsageError("--bits: a Hald image has 8 or 16.", command: values.command)
        }
        return (format, size)
    }

    private static func write(
        _ points: [Float], _ format: TableFile.Format, _ size: Int, title: String, _ comments: [String],
        to path: [UInt8], _ values: ArgumentValues
    ) throws {
        let bytes: [UInt8]
        do throws(LookError) {
            bytes = try TableFile.bytes(
                points, format, size: size, bits: values[bits], title: title, comments: comments)
        } catch { throw CommandFailure("\(error)", status: ExitStatus.fault) }
        try OutputFile.write(bytes, to: path, command: values.command)
        let edge = format.edge(ofSize: size)
        TextOutput.standardOutput.write(
            line: "\(TerminalText.escape(path)): \(edge) points per edge, \(NumberText.bytes(UInt64(bytes.count))).")
    }
}

enum OutputFile {
    /// Creates the file completely or not at all. An existing file is kept.
    ///
    /// - Throws: `UsageError` if another file has the name, or the folder is missing.
    static func write(_ bytes: [UInt8], to path: [UInt8], command: [String]) throws {
        let (root, name) = try location(of: path, command: command)
        guard try root.publish(bytes, at: name).outcome != .kept else {
            throw UsageError(
                "\(TerminalText.escape(path)) exists with other contents: use another --out.",
                command: command)
        }
    }

    /// The parent folder of a new file or folder, and its name there. Ignores trailing slashes.
    ///
    /// - Parameter option: the option that named it.
    /// - Throws: `UsageError` if the name is taken, or the folder is missing.
    static func free(
        _ path: [UInt8], option: String, command: [String]
    ) throws -> (root: Root, name: [UInt8]) {
        var own = path[...]
        while own.count > 1, own.last == UInt8(ascii: "/") { own = own.dropLast() }
        let (root, name) = try location(of: Array(own), option: option, command: command)
        guard try root.factsIfPresent(of: name) == nil else {
            throw UsageError(
                "\(TerminalText.escape(path)) exists: use another \(option).", command: command)
        }
        return (root, name)
    }

    /// The parent folder of a file, and its name there.
    ///
    /// - Parameter option: the option that named it.
    /// - Throws: `UsageError` if the folder is missing, or the path is that of a folder.
    static func location(
        of path: [UInt8], option: String = "--out", command: [String]
    ) throws -> (root: Root, name: [UInt8]) {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { Array(path[($0 + 1)...]) } ?? path
        let folder = slash.map { $0 == path.startIndex ? Array("/".utf8) : Array(path[..<$0]) } ?? Array(".".utf8)
        guard !name.isEmpty, name != Array(".".utf8), name != Array("..".utf8) else {
            throw UsageError(
                "\(option): \(TerminalText.escape(path)) is a folder: give a file's name.", command: command)
        }
        guard let real = RealPath.of(folder) else {
            throw UsageError("\(option): there is no folder \(TerminalText.escape(folder)).", command: command)
        }
        return (try Root(path: String(decoding: real, as: UTF8.self)), name)
    }
}
