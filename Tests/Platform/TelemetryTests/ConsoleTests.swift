import ExternalTools
import Foundation
import Glibc
import Telemetry
import Testing

struct ConsoleTests {
    private func written(terminal: Bool, showsColour: Bool = false, _ body: (Console) -> Void) -> String {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let screen = Terminal(isTerminal: terminal, columns: 20, showsColour: showsColour)
        body(Console(output: TextOutput(descriptor: ends[1]), terminal: screen))
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("A log line clears the progress line, which reappears below it")
    func around() {
        let text = written(terminal: true) { console in
            console.show(progress: "1 of 2")
            console.write(line: "news")
            console.clearProgress()
        }
        #expect(text == "\r1 of 2\u{1B}[K" + "\r\u{1B}[Knews\n1 of 2" + "\r\u{1B}[K")
    }

    @Test("Failures in the progress line are red, also after a log line")
    func alarm() {
        let text = written(terminal: true, showsColour: true) { console in
            console.show(progress: "3 failed · 2/s", alarm: "3 failed")
            console.write(line: "news")
        }
        #expect(text.split(separator: "\u{1B}[31m3 failed\u{1B}[0m · 2/s").count == 2, "\(text)")
    }

    @Test("Progress is redrawn at most ten times a second and never wraps")
    func paced() {
        let text = written(terminal: true) { console in
            let start = ContinuousClock.now
            console.show(progress: "a", now: start)
            console.show(progress: "b", now: start + .milliseconds(50))
            console.show(progress: String(repeating: "c", count: 40), now: start + .milliseconds(150))
        }
        #expect(text == "\ra\u{1B}[K" + "\r" + String(repeating: "c", count: 19) + "\u{1B}[K")
    }

    @Test("A window that became narrower shows no rest of the old progress line", .needs(.pseudoTerminals))
    func narrower() throws {
        setenv("TERM", "xterm", 1)
        let window = open("/dev/pts/ptmx", O_RDWR | O_NOCTTY)
        defer { close(window) }
        var (unlocked, number): (Int32, Int32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2).
        try #require(ioctl(window, 0x4004_5431, &unlocked) == 0 && ioctl(window, 0x8004_5430, &number) == 0)
        let screen = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        defer { close(screen) }
        func resize(columns: UInt16) {
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(window, UInt(TIOCSWINSZ), &size)
        }
        func drawn() -> String {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(window, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        let console = Console(output: TextOutput(descriptor: screen), terminal: Terminal(descriptor: screen))
        let start = ContinuousClock.now
        resize(columns: 41)
        console.show(progress: String(repeating: "a", count: 60), now: start)
        #expect(drawn() == "\r" + String(repeating: "a", count: 40) + "\u{1B}[K")
        // As wide as the window: it has not wrapped.
        resize(columns: 40)
        console.write(line: "news")
        #expect(drawn() == "\r\u{1B}[Knews\r\n" + String(repeating: "a", count: 39))
        resize(columns: 20)
        console.write(line: "more")
        #expect(drawn() == "\u{1B}[1A\r\u{1B}[K\u{1B}[Jmore\r\n" + String(repeating: "a", count: 19))
        resize(columns: 5)
        console.show(progress: "b", now: start + .seconds(1))
        #expect(drawn() == "\u{1B}[3A\rb\u{1B}[K\u{1B}[J")
        console.clearProgress()
        #expect(drawn() == "\r\u{1B}[K")
    }

    @Test("Without a terminal there are only plain lines")
    func plain() {
        let text = written(terminal: false) { console in
            console.show(progress: "1 of 2")
            console.write(line: "news")
            console.clearProgress()
        }
        #expect(text == "news\n")
    }

    @Test("A reader that has left is noticed, and later texts are dropped")
    func reader() {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let output = TextOutput(descriptor: ends[1])
        close(ends[0])
        #expect(output.isOpen)
        output.write(line: "anybody?")
        #expect(!output.isOpen)
        output.write(line: "nobody")
        #expect(output.failure == nil)
        close(ends[1])
    }

    @Test("A write that fails on a full disk is noticed, and later texts are tried again")
    func fullDisk() throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let output = TextOutput(descriptor: full)
        #expect(output.failure == nil)
        output.write(line: "lost")
        #expect(output.failure == "No space left on device" && output.isOpen)

        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(dup2(ends[1], full) == full)
        output.write(line: "there is space")
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(ends[0], &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "there is space\n")
        #expect(output.failure != nil)
    }

    @Test("A text after a truncated one begins a new line", .needs(.mounting))
    func cut() throws {
        let page = 4096
        let disk = try SmallDisk(bytes: page)
        let path = "\(disk.path)/log"
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let output = TextOutput(descriptor: file)
        let long = String(repeating: "a", count: page)
        output.write(line: long)
        #expect(output.failure == "No space left on device")
        try disk.grow(toBytes: 4 * page)
        output.write(line: "next")
        output.write(line: "and next")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == long + "\nnext\nand next\n")
    }
}
