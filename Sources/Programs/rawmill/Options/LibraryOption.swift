import Arguments

/// `--library DIR`, which most commands take.
enum LibraryOption {
    static let name = "library"
    static let parameter: Parameter<String> = .required(
        name, short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders,
        help: "Folder of the library. (default: the library that contains the current folder)")
    static let yes: Parameter<Bool> = .flag("yes", short: "y", help: "Make the changes, instead of showing them.")
    static let json: Parameter<Bool> = .flag("json", help: "Write one JSON object per line.")
}
