import Arguments
import ExternalTools
import Foundation
import Testing

struct CompletionTests {
    /// Runs a script in the shell itself.
    private func run(_ shell: String, _ script: String) throws -> String {
        try ExternalTool.run(shell, shell == "fish" ? ["--no-config", "-c", script] : ["-c", script])
    }

    private func bash(_ words: [String]) throws -> [String] {
        let script =
            Mill.program.completionScript(for: .bash) + """
                compopt() { :; }
                COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
                _mill; printf '%s\\n' "${COMPREPLY[@]}"
                """
        return try run("bash", script).split(separator: "\n").map(String.init)
    }

    @Test(
        "bash completes commands, options and values", .needs(.program("bash")),
        arguments: [
            (["mill", ""], ["convert", "looks", "--verbose", "--help"]), (["mill", "con"], ["convert"]),
            (["mill", "looks", "s"], ["show"]), (["mill", "convert", "--qu"], ["--quality"]),
            (["mill", "convert", "--colour", ""], ["red", "green"]),
            (["mill", "convert", "--colour", "=", "g"], ["green"]),
            (["mill", "convert", "--colour", "="], ["red", "green"]),
            (["mill", "convert", "--library", "/usr/b"], ["/usr/bin"]),
        ])
    func bash(words: [String], expected: [String]) throws {
        #expect(try bash(words) == expected)
    }

    @Test("zsh accepts the script, and completes", .needs(.program("zsh")))
    func zsh() throws {
        let script = Mill.program.completionScript(for: .zsh)
        let check =
            "autoload -Uz compinit; compinit -u -D; " + script
            + "\nprint -r -- $_comps[mill]; whence -w _mill_looks_show"
        #expect(try run("zsh", check) == "_mill\n_mill_looks_show: function\n")
    }

    @Test(
        "fish completes commands, options and values", .needs(.program("fish")),
        arguments: [
            ("mill con", ["convert"]), ("mill looks ", ["list", "show"]), ("mill convert --qu", ["--quality"]),
            ("mill convert --colour ", ["green", "red"]), ("mill convert --colour=g", ["--colour=green"]),
        ])
    func fish(line: String, expected: [String]) throws {
        let script = Mill.program.completionScript(for: .fish) + "\ncomplete -C '\(line)'"
        let output = try run("fish", script)
        let words = output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
        #expect(words.sorted() == expected)
    }

    @Test("Hidden commands and options are in no script", arguments: Shell.allCases)
    func hidden(shell: Shell) {
        let script = Mill.program.completionScript(for: shell)
        #expect(!script.contains("engine") && !script.contains("secret"))
        #expect(script.contains("long-edge"))
    }
}
