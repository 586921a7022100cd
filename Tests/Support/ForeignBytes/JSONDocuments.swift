import JSON

/// JSON from programs and the page.
struct JSONDocuments: ForeignReader {
    let name = "json"

    func read(_ bytes: [UInt8]) throws { _ = try JSONValue(parsing: bytes) }
}
