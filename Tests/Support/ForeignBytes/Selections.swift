import Selection

/// Conditions for selecting photos.
struct Selections: ForeignReader {
    let name = "selection"

    func read(_ bytes: [UInt8]) throws {
        let selection = try Selection(String(decoding: bytes, as: UTF8.self))
        let again = try Selection(selection.text)
        precondition(again == selection, "a text means one thing")
    }
}
