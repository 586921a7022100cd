import Arguments
import Testing

struct HelpTests {
    private func help(_ path: [String], columns: Int = 80) throws -> String {
        Mill.program.help(for: try Mill.program.commands(along: path), columns: columns)
    }

    @Test("A command's help shows usage, groups, defaults, choices, variables and examples")
    func command() throws {
        let expected = """
            Converts files.

            Usage: mill convert SOURCE… --library DIR [OPTIONS]

            Arguments:
              SOURCE…                   Files.

            Options:
                  --library DIR         The library. (or MILL_LIBRARY)
                  --exposure STOPS      Brightness. (default 0)
                  --long-edge PX        Longest side.
                  --colour NAME         A colour: it's [nice]. (one of red, green; default
                                        red)
              -j, --jobs N              Jobs at once.
              -n, --dry-run             Only looks.

            The picture:
                  --quality N           JPEG quality. (default 92)

            Global options:
              -v, --verbose             Says more.
              -h, --help                Show this help.

            Examples:
              # convert a file
              mill convert a --library b

            More about it.

            """
        #expect(try help(["convert"]) == expected)
    }

    @Test("A group's help lists its commands and refers to their help")
    func group() throws {
        let text = try help(["looks"])
        #expect(text.contains("Usage: mill looks COMMAND\n"))
        #expect(text.contains("\n  show                      Shows one.\n"))
        #expect(text.contains("`mill looks COMMAND --help` shows the help of a command."))
        #expect(try !help([]).contains("engine"))
    }

    @Test("No line is wider than the terminal", arguments: [40, 60, 80, 120])
    func width(columns: Int) throws {
        for path in [[], ["convert"], ["looks"], ["looks", "show"]] {
            for line in try help(path, columns: columns).split(separator: "\n") {
                #expect(line.count <= columns, "\(line)")
            }
        }
    }

    @Test("A path without a command has no help")
    func unknown() {
        #expect(throws: UsageError.self) { try Mill.program.commands(along: ["looks", "nothing"]) }
    }
}
