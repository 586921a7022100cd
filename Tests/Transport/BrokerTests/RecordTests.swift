import Broker
import Testing

@Suite("A record's headers") struct RecordTests {
    @Test("Small headers are passed on, but not very many, even if they are empty")
    func room() {
        let own = [Header(name: "traceparent", value: [UInt8](repeating: 0x30, count: 55))]
        #expect(Record(key: [], value: [], headers: own).headers() == own)
        let long = [Header(name: "x", value: [UInt8](repeating: 0, count: Record.maxHeaderBytes))]
        #expect(Record(key: [], value: [], headers: long).headers().isEmpty)
        let many = [Header](repeating: Header(name: "", value: []), count: 1000)
        #expect(Record(key: [], value: [], headers: many).headers().count == 0)
    }

    @Test("A header above the size limit has no text")
    func text() {
        let record = Record(
            key: [], value: nil,
            headers: [
                Header(name: "short", value: [0x61, 0xFF]),
                Header(name: "long", value: [UInt8](repeating: 0x61, count: Record.maxHeaderBytes + 1)),
            ])
        #expect(record.text(of: "short") == "a\u{FFFD}")
        #expect(record.text(of: "long") == nil && record.text(of: "none") == nil)
    }
}
