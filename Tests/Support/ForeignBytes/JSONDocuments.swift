import JSON

/// What programs and the page send as JSON.
struct JSONDocuments: ForeignReader {
    let name = "json"

    func read(_ bytes: [UInt8]) throws { _ = try JSONValue(parsing: bytes) }
}
