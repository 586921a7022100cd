import Foundation
import Telemetry
import Testing

struct BufferedTextOutputTests {
    @Test("Lines come out in order, objects as JSON")
    func lines() throws {
        let pipe = Pipe()
        var output = BufferedTextOutput(TextOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor))
        output.write(line: "first")
        output.write(["name": "é\u{85}\u{2028}\"\\ plain"])
        output.write(["last": true])
        output.flush()
        try pipe.fileHandleForWriting.close()
        let bytes = try #require(try pipe.fileHandleForReading.readToEnd())
        let text = String(decoding: bytes, as: UTF8.self)
        let name = #"é\u0085\u2028\"\\ plain"#
        #expect(text == "first\n{\"name\":\"\(name)\"}\n{\"last\":true}\n")
    }
}
