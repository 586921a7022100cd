import Arguments

/// The options of `rawmill convert` for a page of the run.
enum PageOptions {
    private static let group = "The page"

    static let isWanted: Parameter<Bool> = .flag(
        "serve", group: group,
        help: "Also serve the run and the library on a web page, as `rawmill serve` does.")
    static let listen: Parameter<ListenArgument> = .option(
        "listen", "ADDRESS", default: .page, group: group,
        help: "Address of the page, on this machine only: 127.0.0.1:7420, or 127.0.0.1:0 for a free port.")

    static let all: [any AnyParameter] = [isWanted, listen]
}
