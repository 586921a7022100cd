import Arguments
import CommandLineTool
import Jobs
import Storage

/// `--root NAME=PATH`: the local paths of the roots.
enum RootOptions {
    static let roots: Parameter<[CollectedValue<RootArgument>]> = .collected(
        "root", "NAME=PATH", environment: "RAWMILL_ROOT", group: "The cluster", completion: .folders,
        help: """
            Shared folder and its name in the cluster; can be repeated. The library's root is named library.
            """)

    /// Path by name. Of two roots with the same name the later counts.
    static func paths(_ values: ArgumentValues) -> [RootName: String] {
        Dictionary(values[roots].map { ($0.value.name, $0.value.path) }) { $1 }
    }

    /// Opens every root. Throws `CommandFailure` for a folder that cannot be opened.
    ///
    /// - Parameter creating: the roots to create if missing.
    static func open(_ paths: [RootName: String], creating: Set<RootName> = []) throws -> Roots {
        var opened: [String: Root] = [:]
        for (name, path) in paths {
            do throws(StorageError) {
                opened[name.text] = try Root(path: path, creating: creating.contains(name))
            } catch {
                throw CommandFailure(
                    "the root \(name), \(path), cannot be opened: \(error.cause). Check that the storage is mounted.")
            }
        }
        return Roots(opened)
    }

    /// The library's folder, which must be among the roots.
    static func library(_ paths: [RootName: String], _ values: ArgumentValues) throws -> String {
        guard let path = paths[.library] else {
            throw UsageError("The library's folder is missing: give --root library=PATH.", command: values.command)
        }
        return path
    }
}

/// `NAME=PATH`
struct RootArgument: ArgumentValue, Hashable {
    let name: RootName
    let path: String

    init(argument: [UInt8]) throws(InvalidArgument) {
        let expected = "NAME=PATH, the name of letters, digits, dots, dashes and underscores"
        guard let text = String(validating: argument, as: UTF8.self), let equals = text.firstIndex(of: "="),
            let name = RootName(String(text[..<equals]))
        else { throw InvalidArgument(expected) }
        let path = String(text[text.index(after: equals)...])
        guard !path.isEmpty else { throw InvalidArgument(expected) }
        self.name = name
        self.path = path
    }

    var argumentText: String { "\(name)=\(path)" }
}
