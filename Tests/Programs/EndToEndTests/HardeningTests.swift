import ExternalTools
import Foundation
import Testing

/// Linker settings of the programs against memory corruption.
@Suite(.needs(.program("readelf"))) struct HardeningTests {
    @Test(
        "A program is position-independent, binds its symbols at the start, has no writable and executable memory, and guards its stack",
        arguments: ["rawmill", "rawmill-render"])
    func linked(program: String) throws {
        let path = Rawmill.program.deletingLastPathComponent().appending(path: program).path
        let segments = try ExternalTool.run("readelf", ["-lW", path]).split(separator: "\n")
        let dynamic = try ExternalTool.run("readelf", ["-dW", path])
        #expect(
            sections(of: "GNU_RELRO", in: segments).isSuperset(of: [".dynamic", ".got", ".init_array"]),
            "what calls go through must not stay writable")
        #expect(segments.contains { $0.contains("GNU_STACK") && $0.contains(" RW ") })
        #expect(!segments.contains { $0.contains("LOAD") && $0.contains(" RWE ") })
        #expect(dynamic.contains("NOW") && dynamic.contains("PIE"))
        #expect(try ExternalTool.run("readelf", ["--dyn-syms", "-W", path]).contains("__stack_chk_fail"))
    }

    @Test("The main program is not linked with picture libraries; the render program is")
    func pictureLibraries() throws {
        let folder = Rawmill.program.deletingLastPathComponent()
        func libraries(of program: String) throws -> Set<Substring> {
            let lines = try ExternalTool.run("readelf", ["-dW", folder.appending(path: program).path])
            return Set(
                lines.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap {
                    $0.split(separator: "[").last?.prefix { $0 != "." }
                })
        }
        let pictures: Set<Substring> = ["libraw_r", "libturbojpeg", "libavif", "libjxl", "liblcms2", "libexempi"]
        #expect(try libraries(of: "rawmill").isDisjoint(with: pictures))
        #expect(try libraries(of: "rawmill-render").isSuperset(of: pictures))
    }

    /// The names of the sections in the segment of a type, as listed by `readelf -l`: a line for each segment, then for
    /// each a line with its number and its sections.
    private func sections(of type: String, in lines: [Substring]) -> Set<Substring> {
        let words = lines.map { $0.split(separator: " ") }
        guard let header = words.firstIndex(where: { $0.first == "Type" }) else { return [] }
        // An interpreter is named on a separate line, in brackets.
        let types = words[(header + 1)...].prefix { $0.first != "Section" }.compactMap(\.first).filter {
            !$0.hasPrefix("[")
        }
        guard let number = types.firstIndex(of: Substring(type)) else { return [] }
        let mapped = words.last { $0.first.flatMap { Int($0) } == number }
        return Set(mapped?.dropFirst() ?? [])
    }
}
