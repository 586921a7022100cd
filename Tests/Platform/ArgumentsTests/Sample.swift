import Arguments

enum Colour: String, CaseIterable, ArgumentValue {
    case red, green
}

/// A command line with one of everything.
enum Mill {
    static let sources: Parameter<[PathArgument]> = .positionals("SOURCE", completion: .files, help: "Files.")
    static let quality: Parameter<UInt32> = .option(
        "quality", "N", default: 92, must: .within(1...100), group: "The picture", help: "JPEG quality.")
    static let exposure: Parameter<Double> = .option("exposure", "STOPS", default: 0, help: "Brightness.")
    static let edge: Parameter<UInt32?> = .optional("long-edge", "PX", help: "Longest side.")
    static let colour: Parameter<Colour> = .option("colour", "NAME", default: .red, help: "A colour: it's [nice].")
    static let library: Parameter<PathArgument> = .required(
        "library", "DIR", environment: "MILL_LIBRARY", completion: .folders, help: "The library.")
    static let jobs: Parameter<Int?> = .optional("jobs", short: "j", "N", help: "Jobs at once.")
    static let dry: Parameter<Bool> = .flag("dry-run", short: "n", help: "Only looks.")
    static let verbose: Parameter<Bool> = .flag("verbose", short: "v", help: "Says more.")
    static let secret: Parameter<Bool> = .flag("secret", isHidden: true, help: "Hidden.")
    static let name: Parameter<String> = .positional("NAME", help: "A name.")

    static let convert = Command(
        "convert", summary: "Converts files.", discussion: "More about it.",
        examples: [.init("mill convert a --library b", "convert a file")],
        parameters: [sources, library, quality, exposure, edge, colour, jobs, dry, secret]
    ) { _ in 0 }

    static let program = Program(
        Command(
            "mill", summary: "Mills things.",
            subcommands: [
                convert,
                Command(
                    "looks", summary: "Knows looks.",
                    subcommands: [
                        Command("list", summary: "Lists them.") { _ in 1 },
                        Command("show", summary: "Shows one.", parameters: [name]) { _ in 2 },
                    ]),
                Command("engine", summary: "Inner.", isHidden: true) { _ in 3 },
            ]),
        version: "1.2", shared: [verbose])

    static func parse(_ line: [String], environment: [String: String] = [:]) throws(UsageError) -> Invocation {
        try program.parse(line.map { Array($0.utf8) }) { name in environment[name].map { Array($0.utf8) } }
    }

    static func values(_ line: [String], environment: [String: String] = [:]) throws -> ArgumentValues {
        guard case .run(_, let values) = try parse(line, environment: environment) else { throw Unexpected() }
        return values
    }

    static func complaint(_ line: [String], environment: [String: String] = [:]) -> String? {
        do throws(UsageError) {
            _ = try parse(line, environment: environment)
            return nil
        } catch {
            return error.description
        }
    }

    struct Unexpected: Error {}
}
