import Testing

/// A malformed or unusual request.
struct Oddity: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String

    var testDescription: String { name }

    private init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    /// A request with the `Host` header, which HTTP/1.1 requires.
    private static func request(_ line: String, _ headers: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: a\r\n\(headers)\r\n"
    }

    static let all = [
        Oddity("nothing", ""), Oddity("zeros", "\0\0\0\0"), Oddity("a bare word", "GET"),
        Oddity("a version from the future", "GET / HTTP/9.9\r\n\r\n"),
        Oddity("a path that is no UTF-8", request("GET /%00%ff%fe")),
        Oddity("control characters", "GET /\u{1}\u{7F} HTTP/1.1\r\n\r\n"),
        Oddity("empty lines", "G\r\n\r\n\r\n\r\n"),
        Oddity("OPTIONS *", request("OPTIONS *")), Oddity("CONNECT", request("CONNECT a:1")),
        Oddity("a proxy's path", request("GET http://b/c")), Oddity("a method of emoji", request("\u{E9}\u{1F600} /")),
        Oddity("a negative length", request("GET /", "Content-Length: -1\r\n")),
        Oddity("a length that is no number", request("GET /", "Content-Length: x\r\n")),
        Oddity("a question before the body", request("POST /", "Expect: 100-continue\r\nContent-Length: 5\r\n")),
        Oddity("a chunk of 2^76 bytes", request("GET /", "Transfer-Encoding: chunked\r\n") + "fffffffffffffffffff\r\n"),
        Oddity("three at once", request("GET /") + request("GET /") + request("DELETE /")),
        Oddity("a method of 100 kB", String(repeating: "M", count: 100_000) + " / HTTP/1.1\r\n\r\n"),
        Oddity("a path of 100 kB", request("GET /" + String(repeating: "a", count: 100_000))),
        Oddity("a header of 300 kB", request("GET /", "X: " + String(repeating: "h", count: 300_000) + "\r\n")),
        Oddity("20,000 headers", request("GET /", String(repeating: "X: y\r\n", count: 20_000))),
    ]
}
