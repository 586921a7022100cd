import Foundation
import Telemetry
import Testing

struct JSONEncodingTests {
    private struct Size: Encodable {
        var width = 3
        var height: UInt16 = 2
    }

    private struct Report: Encodable {
        var name = "a \"b\""
        var isWhole = true
        var ratio: Float = 0.5
        var rate = Double.nan
        var size: Size? = Size()
        var missing: Size?
        var note: String?
        var number: Int64?
        var sizes = [Size(), Size(width: 1, height: 1)]
        var nothing: [Size] = []
        var lists = [[1, 2], []]
    }

    @Test("Fields are in the order of their declaration, and nil is null")
    func order() {
        #expect(
            JSONWriter.line(Report())
                == #"{"name":"a \"b\"","isWhole":true,"ratio":0.5,"rate":null,"size":{"width":3,"height":2},"#
                + #""missing":null,"note":null,"number":null,"sizes":[{"width":3,"height":2},{"width":1,"height":1}],"#
                + #""nothing":[],"lists":[[1,2],[]]}"#)
    }

    /// An object that includes the fields of another value.
    private struct Joined: Encodable {
        enum Key: CodingKey { case event, last, list, inner }
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode("size", forKey: .event)
            try Size().encode(to: encoder)
            var list = fields.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            var object = list.nestedContainer(keyedBy: Key.self)
            try object.encode(2, forKey: .last)
            try list.encodeNil()
            try list.encode(UInt64.max)
            var inner = fields.nestedContainer(keyedBy: Key.self, forKey: .inner)
            try inner.encode(-1, forKey: .last)
            try fields.encode(true, forKey: .last)
        }
    }

    @Test("A value's fields join those of the encoding value, and nested containers end where the outer one continues")
    func joining() {
        #expect(
            JSONWriter.line(Joined())
                == #"{"event":"size","width":3,"height":2,"list":[1,{"last":2},null,9223372036854775807],"#
                + #""inner":{"last":-1},"last":true}"#)
    }

    private struct Empty: Encodable {}
    private struct Silent: Encodable { func encode(to encoder: any Encoder) {} }

    @Test("Values without fields are objects, and values that encode nothing are null")
    func empty() {
        #expect(JSONWriter.line([Empty()]) == "[{}]")
        #expect(JSONWriter.line(["a": Silent()]) == #"{"a":null}"#)
        #expect(JSONWriter.line("x") == #""x""#)
        #expect(JSONWriter.line(Int?.none) == "null")
    }

    @Test("Another JSON reader finds the encoded values")
    func foreignReader() throws {
        struct Numbers: Codable, Hashable {
            var texts = ["\u{0}\u{85}\u{2028}", "ü", "\\"]
            var numbers = [Int.min, 0, Int.max]
            var reals = [0.1, -1e300, 4.5e300]
            var map = ["a": [true], "b": []]
            var maybe: [Int?] = [nil, 1]
        }
        let read = try JSONDecoder().decode(Numbers.self, from: Data(JSONWriter.bytes(Numbers())))
        #expect(read == Numbers())
    }
}
