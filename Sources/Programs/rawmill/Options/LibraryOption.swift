import Arguments

/// `--library DIR`, which most commands take.
enum LibraryOption {
    static let parameter: Parameter<String> = .required(
        "library", short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders, help: "The library's folder.")
    static let yes: Parameter<Bool> = .flag("yes", short: "y", help: "Does it, instead of saying what would be done.")
    static let json: Parameter<Bool> = .flag("json", help: "Writes one JSON object per line.")
}
