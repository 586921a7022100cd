import Arguments
import CommandLineTool
import Digest
import Export
import Jobs
import Storage

enum ExportOptions {
    private static let group = "Photos in a folder"

    static let out: Parameter<PathArgument?> = .optional(
        "out", short: "o", "DIR", group: group, completion: .folders,
        help: "Write the photos into this folder, without a library.")
    static let template: Parameter<TemplateArgument> = .option(
        "name", "TEMPLATE", default: TemplateArgument.usual, group: group,
        help: """
            Name template below the folder. Fields: {dir}, {base}, {look}, {version}, {date}, {date:%Y-%m-%d}, \
            {camera}, {make}, {frame}, {size}, {quality}, {ext}.
            """)
    static let conflict: Parameter<EnumArgument<NameConflict>> = .option(
        "on-conflict", "RULE", default: EnumArgument(.rename), group: group,
        help: "What to do if the name exists: skip the photo, rename it with a number, or replace the file.")
    static let state: Parameter<PathArgument?> = .optional(
        "state", "DIR", group: group, completion: .folders,
        help: "Folder for Rawmill's own state. (default: one for each --out in ~/.cache/rawmill)")

    static let all: [any AnyParameter] = [out, template, conflict, state]

    /// The state folder of an export: `--state`, or one in the user's cache that belongs to the folder.
    ///
    /// - Parameter folder: the export's folder, absolute, with links resolved.
    /// - Throws: `UsageError` without a home folder.
    static func state(of folder: [UInt8], _ values: ArgumentValues) throws -> String {
        if let given = values[state] { return given.description }
        guard let cache = UserFolder.cache else {
            throw UsageError("There is no home folder: use --state DIR.", command: values.command)
        }
        let name = SHA256Value(of: folder).description.prefix(24)
        return "\(cache)/rawmill/out/\(name)"
    }
}

struct TemplateArgument: ArgumentValue, Hashable {
    let template: NameTemplate

    static let usual = TemplateArgument(template: .usual)

    private init(template: NameTemplate) { self.template = template }

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let text = String(validating: argument, as: UTF8.self) else { throw InvalidArgument("text in UTF-8") }
        do throws(NameTemplateError) {
            template = try NameTemplate(text)
        } catch {
            throw InvalidArgument("a template like {dir}/{base}.{look}.{ext} (it \(error))")
        }
    }

    var argumentText: String { template.description }
}
