import Arguments
import Testing

/// The manual pages, man(7).
struct ManualTests {
    private func page(_ name: String) throws -> [String] {
        let page = try #require(Mill.program.manual.first { $0.name == name })
        return page.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("There is a page for the program and for each visible command")
    func names() {
        let names = Mill.program.manual.map(\.name)
        #expect(names == ["mill", "mill-convert", "mill-looks", "mill-looks-list", "mill-looks-show"])
        #expect(Mill.program.manual.map(\.fileName).first == "mill.1")
    }

    @Test("A page contains the help")
    func content() throws {
        let lines = try page("mill-convert")
        #expect(lines.first == ".TH \"MILL\\-CONVERT\" 1 \"\" \"mill 1.2\" \"User Commands\"", "\(lines.first ?? "")")
        #expect(lines.contains("mill\\-convert \\- Converts files"))
        for expected in [
            ".SH \"OPTIONS\"", ".SH \"THE PICTURE\"", ".SH \"GLOBAL OPTIONS\"", "JPEG quality. (default 92)",
            "\\fB\\-j\\fR, \\fB\\-\\-jobs\\fR \\fIN\\fR", "\\fB\\-\\-library\\fR \\fIDIR\\fR",
            "A colour: it\\(aqs [nice]. (one of red, green; default red)", "mill convert a \\-\\-library b",
            "More about it.",
            ".BR mill (1)",
        ] { #expect(lines.contains(expected), "\(expected)") }
        #expect(!lines.contains { $0.contains("secret") })
    }

    @Test("No text is interpreted as a roff request")
    func requests() throws {
        let command = Command(
            "odd", summary: ".TH of 'it'.", discussion: "'quoted'\n\n.so /etc/passwd\\n",
            examples: [.init(".odd \\x", ".first")]
        ) { _ in 0 }
        let text = try #require(Program(command, version: "\"1\"").manual.first).text
        let lines = text.split(separator: "\n")
        #expect(lines.contains("\\&.so /etc/passwd\\en") && lines.contains("\\&.odd \\ex"))
        let requests = [".TH", ".SH", ".B", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi", ".BR"]
        for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
        }
        #expect(lines.first == ".TH \"ODD\" 1 \"\" \"odd 1\" \"User Commands\"")
    }
}
