import JSON
import Testing

struct JSONValueTests {
    @Test("A document is read with all kinds of values, and text beyond ASCII")
    func document() throws {
        let text = #"{"a":[1,-2.5,true,false,null,"ü😀\u0000\ud83d\ude00"],"b":{"c":9007199254740993}}"#
        let value = try JSONValue(parsing: Array(text.utf8))
        let expected: [JSONValue] = [.integer(1), .real(-2.5), .boolean(true), .boolean(false), .null, .text("ü😀\0😀")]
        #expect(value["a"]?.elements == expected)
        #expect(value["b"]?["c"]?.integer == 9_007_199_254_740_993)
        #expect(value["c"] == nil && value["a"]?["x"] == nil)
    }

    @Test(
        "An invalid document is refused with the place of the error",
        arguments: ["", "{", "{\"a\":1,\"a\":2}", "[1,]", "nul", "\"\u{1}\"", "{\"a\":1e999}", "[1] 2"])
    func refused(text: String) {
        let error = #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: Array(text.utf8)) }
        #expect(error.map { $0.line >= 1 && $0.column >= 1 && !$0.message.isEmpty } == true)
    }

    @Test("Invalid UTF-8 and deeply nested values are refused without a crash")
    func hostile() {
        #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: [0x22, 0xff, 0x22]) }
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: Array(deep.utf8)) }
        let nested = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        #expect(throws: JSONValue.SyntaxError.self) { try JSONValue(parsing: Array(nested.utf8)) }
    }
}
