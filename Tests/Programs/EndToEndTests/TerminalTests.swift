import ExternalTools
import Foundation
import Testing

/// Terminal output.
struct TerminalTests {
    @Test(
        "The progress line follows a resized window", .needs(.pseudoTerminals),
        .needs(.program("python3")))
    func resize() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(60)
        // Opens a terminal of 100 columns, shrinks it to 40 when the first progress line is there, and prints the
        // longest line drawn afterwards.
        let script = """
            import fcntl, os, pty, re, struct, sys, termios
            def size(fd, columns): fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            child, fd = pty.fork()
            if child == 0:
                os.environ["TERM"] = "xterm"
                os.environ["NO_COLOR"] = "1"
                os.read(0, 1)
                os.execv(sys.argv[1], sys.argv[1:])
            size(fd, 100)
            os.write(fd, b"\\n")
            seen, cut = b"", 0
            while True:
                try: part = os.read(fd, 65536)
                except OSError: break
                if not part: break
                seen += part
                if not cut and b"of 60 photos" in seen:
                    size(fd, 40)
                    cut = len(seen)
            os.waitpid(child, 0)
            lines = [re.sub(rb"\\x1b\\[[0-9]*[A-Za-z]", b"", l) for l in seen[cut:].split(b"\\r") if b"of 60 photos" in l]
            print(max(len(l.decode("utf-8", "replace")) for l in lines[1:]), len(lines))
            """
        let printed = try ExternalTool.run(
            "python3",
            [
                "-c", script, Rawmill.program.path, "convert", workspace.raw.path, "--library", workspace.library.path,
                "-j", "1",
            ])
        let numbers = printed.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers[0] < 40 && numbers[1] > 1, "\(printed)")
    }

    @Test(
        "Failures are red on a terminal, and nothing is coloured elsewhere", .needs(.pseudoTerminals),
        .needs(.program("script")),
        arguments: [("TERM=xterm", true), ("TERM=xterm NO_COLOR=1", false), ("TERM=dumb", false)])
    func colours(variables: String, areShown: Bool) throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.1)
        try Data("no RAW".utf8).write(to: workspace.raw.appending(path: "broken.nef"))
        let red = "\u{1B}[31m"
        let piped = try workspace.convert("--library", workspace.folder.appending(path: "other").path)
        #expect(piped.output.contains("1 failed") && !piped.output.contains("\u{1B}"))
        let command =
            "'\(Rawmill.program.path)' convert '\(workspace.raw.path)' --library '\(workspace.library.path)' --no-progress; "
            + "'\(Rawmill.program.path)' status --library /nowhere; true"
        let seen = try ExternalTool.run(
            "script", ["-qec", "env -u NO_COLOR \(variables) sh -c \"\(command)\"", "/dev/null"])
        #expect(seen.contains("1 failed") && seen.contains("not-raw") && seen.contains("rawmill: "), "\(seen)")
        for words in ["1 failed", "not-raw", "rawmill: "] {
            #expect(seen.contains(red + words) == areShown, "\(words) in \(seen)")
        }
        #expect(seen.contains("\u{1B}") == areShown, "\(seen)")
    }

    @Test("A quiet run prints nothing unless something fails, and then only that")
    func quiet() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let good = try workspace.convert("--quiet")
        #expect(good.status == 0 && good.output.isEmpty && good.errors.isEmpty, "\(good.output)\(good.errors)")
        try Data("no RAW".utf8).write(to: workspace.raw.appending(path: "broken.nef"))
        let bad = try workspace.convert("--quiet")
        #expect(bad.status == 3 && bad.output.isEmpty)
        #expect(bad.errors.contains("broken.nef") && bad.errors.split(separator: "\n").count == 1, "\(bad.errors)")
        let twice = try workspace.convert("--quiet", "--look", "mono", "--look", "sepia")
        #expect(twice.status == 3 && twice.errors.split(separator: "\n").count == 1, "\(twice.errors)")
    }
}
