import Testing

@testable import WebService

struct FileResponseTests {
    @Test("Ranges are parsed as in RFC 9110")
    func ranges() {
        let table: [(String, UInt64, ClosedRange<UInt64>??)] = [
            ("bytes=0-9", 100, 0...9), ("bytes=90-", 100, 90...99), ("bytes=-10", 100, 90...99),
            ("bytes=-200", 100, 0...99),
            ("bytes=50-500", 100, 50...99), ("bytes=100-", 100, .some(nil)), ("bytes=9-8", 100, .some(nil)),
            ("bytes=0-0", 0, .some(nil)), ("bytes=-0", 100, .some(nil)), ("items=0-9", 100, nil),
            ("bytes=0-1,5-6", 100, nil), ("bytes=a-b", 100, nil), ("bytes=18446744073709551616-", 100, nil),
        ]
        for (text, size, expected) in table { #expect(FileResponse.range(text, of: size) == expected, "\(text)") }
    }

    @Test("A name cannot add a header, and is sent in full to clients that support it")
    func names() {
        let header = FileResponse.attachment("a\"b\r\nX: y ü.jpg")
        #expect(!header.contains("\r") && !header.contains("\n"))
        #expect(header.contains("filename=\"a_b__X: y __.jpg\""))
        #expect(header.hasSuffix("filename*=UTF-8''a%22b%0D%0AX%3A%20y%20%C3%BC.jpg"))
    }

    @Test("Base64 is decoded, and refused if invalid")
    func base64() {
        #expect(Base64.decoded("SGVsbG8=") == Array("Hello".utf8))
        #expect(Base64.decoded("") == [])
        for wrong in ["A", "A===", "AA=A", "SGV$", "====", "AAAAA"] {
            #expect(Base64.decoded(wrong) == nil, "\(wrong)")
        }
    }
}
