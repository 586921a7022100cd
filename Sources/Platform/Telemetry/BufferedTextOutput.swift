/// Collects lines and writes many at once, for output of which there is a lot: a write for each line costs more than the line.
///
/// Nothing is written before the buffer is full or `flush` is called.
public struct BufferedTextOutput: ~Copyable {
    private let output: TextOutput
    private var bytes: [UInt8] = []
    private static let capacity = 1 << 16

    /// Lines go to `output` in the end.
    public init(_ output: TextOutput) {
        self.output = output
        bytes.reserveCapacity(Self.capacity)
    }

    /// Whether the reader has not closed its end, as far as is known.
    public var isOpen: Bool { output.isOpen }

    /// Adds a text and a line feed.
    public mutating func write(line: String) {
        bytes += line.utf8
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.capacity { flush() }
    }

    /// Adds an object of JSON as a line.
    public mutating func write(_ fields: JSONFields) {
        bytes += JSONWriter.bytes(fields)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.capacity { flush() }
    }

    /// Writes what was collected.
    public mutating func flush() {
        if !bytes.isEmpty { output.write(bytes: bytes) }
        bytes.removeAll(keepingCapacity: true)
    }
}
