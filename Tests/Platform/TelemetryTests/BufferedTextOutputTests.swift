import Foundation
import Telemetry
import Testing

struct BufferedTextOutputTests {
    private struct Refusal: Error {}

    @Test("Lines come out in order, and an object that cannot be finished leaves nothing behind")
    func lines() throws {
        let pipe = Pipe()
        var output = BufferedTextOutput(TextOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor))
        output.write(line: "first")
        output.write { $0.field("name", "é\u{85}\u{2028}\"\\ plain") }
        #expect(throws: Refusal.self) {
            try output.write { json in
                json.field("half", 1)
                throw Refusal()
            }
        }
        output.write { $0.field("last", true) }
        output.flush()
        try pipe.fileHandleForWriting.close()
        let bytes = try #require(try pipe.fileHandleForReading.readToEnd())
        let text = String(decoding: bytes, as: UTF8.self)
        let name = #"é\u0085\u2028\"\\ plain"#
        #expect(text == "first\n{\"name\":\"\(name)\"}\n{\"last\":true}\n")
    }
}
