import ExternalTools
import Foundation
import Testing

/// How the programs are linked: against code that overwrote something.
@Suite(.needs(.program("readelf"))) struct HardeningTests {
    @Test(
        "A program is loaded anywhere, binds its symbols at the start, has no memory that can be written and run, and guards its stack",
        arguments: ["rawmill", "rawmill-render"])
    func linked(program: String) throws {
        let path = Rawmill.program.deletingLastPathComponent().appending(path: program).path
        let segments = try ExternalTool.run("readelf", ["-lW", path]).split(separator: "\n")
        let dynamic = try ExternalTool.run("readelf", ["-dW", path])
        #expect(segments.contains { $0.contains("GNU_RELRO") })
        #expect(segments.contains { $0.contains("GNU_STACK") && $0.contains(" RW ") })
        #expect(!segments.contains { $0.contains("LOAD") && $0.contains(" RWE ") })
        #expect(dynamic.contains("NOW") && dynamic.contains("PIE"))
        #expect(try ExternalTool.run("readelf", ["--dyn-syms", "-W", path]).contains("__stack_chk_fail"))
    }
}
