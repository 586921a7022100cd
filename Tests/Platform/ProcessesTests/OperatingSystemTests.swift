import Testing

@testable import Processes

/// Facts about the operating system.
@Suite struct OperatingSystemTests {
    @Test(
        "The system's name is read with and without quotes",
        arguments: [
            ("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n", "Debian GNU/Linux 13 (trixie)"),
            ("PRETTY_NAME='One'", "One"), ("PRETTY_NAME=Two", "Two"), ("PRETTY_NAME=\"", "\""), ("NAME=x", nil),
            ("", nil),
        ])
    func name(release: String, expected: String?) {
        #expect(OperatingSystem.name(release: release) == expected)
    }

    @Test("The files of loaded libraries are listed once each, also with spaces in their paths")
    func maps() {
        let maps = """
            55d0-55d1 r-xp 00000000 fe:00 10 /usr/bin/rawmill
            7f00-7f01 r--p 00000000 fe:00 11                         /usr/lib/libraw_r.so.20.0.0
            7f01-7f02 r-xp 00001000 fe:00 11                         /usr/lib/libraw_r.so.20.0.0
            7f02-7f03 r-xp 00001000 fe:00 12                         /my libs/libyaml-0.so.2
            7f03-7f04 rw-p 00000000 00:00 0
            7ffd-7ffe rw-p 00000000 00:00 0                          [stack]
            garbage
            """
        let expected = ["/my libs/libyaml-0.so.2", "/usr/lib/libraw_r.so.20.0.0"]
        #expect(OperatingSystem.loadedLibraries(maps: maps) == expected)
    }

    @Test("This machine's kernel, its libraries and its memory are found")
    func real() throws {
        #expect(OperatingSystem.kernel.first?.isNumber == true)
        #expect(OperatingSystem.loadedLibraries.contains { $0.contains("libc.so") })
        #expect(try #require(Machine.availableBytes) <= Machine.physicalBytes)
        #expect(Machine.allowedProcessors >= Machine.cores)
    }
}
