import Foundation
import Telemetry
import Testing

struct JSONWriterTests {
    @Test("Objects, arrays and fields nest, with commas where they belong")
    func nesting() {
        var json = JSONWriter()
        json.object { json in
            json.field("event", "planned")
            json.array("list") { json in
                json.element(1)
                json.object { $0.field("a", true) }
                json.object { _ in }
                json.element("x")
            }
            json.object("empty") { _ in }
            json.array("none") { _ in }
            json.field("nothing", nil)
            json.field("last", 2.5)
        }
        #expect(
            json.text
                == #"{"event":"planned","list":[1,{"a":true},{},"x"],"empty":{},"none":[],"nothing":null,"last":2.5}"#)
    }

    @Test("Any text survives a round trip through another JSON reader", arguments: 0..<20)
    func roundTrip(seed: UInt64) throws {
        var state = seed
        var text = String.UnicodeScalarView()
        for _ in 0..<200 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = UInt32(truncatingIfNeeded: state >> 33) % (state % 3 == 0 ? 0x110000 : 0x100)
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        var json = JSONWriter()
        json.object { $0.field("text", String(text)) }
        let object = try #require(JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: String])
        #expect(object["text"].map { Array($0.unicodeScalars) } == Array(text))
        #expect(!json.bytes.contains { $0 < 0x20 || $0 == 0x7F })
    }

    @Test("Invalid UTF-8 is replaced, and numbers that JSON lacks are null")
    func replaced() {
        var json = JSONWriter()
        json.object { json in
            json.field("name", bytes: [0x61, 0xFF, 0x62])
            json.field("rate", Double.infinity)
            json.field("big", UInt64.max)
        }
        #expect(json.text == #"{"name":"a\#u{FFFD}b","rate":null,"big":9223372036854775807}"#)
    }
}
