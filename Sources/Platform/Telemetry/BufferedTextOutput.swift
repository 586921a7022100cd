/// Buffers lines for large outputs, because a write per line costs more than the line itself.
///
/// Writes only when the buffer is full or `flush` is called.
public struct BufferedTextOutput: ~Copyable {
    private let output: TextOutput
    private var bytes: [UInt8] = []
    private static let capacity = 1 << 16

    /// Buffers lines for `output`.
    public init(_ output: TextOutput) {
        self.output = output
        bytes.reserveCapacity(Self.capacity)
    }

    /// False once the reader is known to have closed its end.
    public var isOpen: Bool { output.isOpen }

    /// Appends a text and a line feed.
    public mutating func write(line: String) {
        bytes += line.utf8
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.capacity { flush() }
    }

    /// Appends a JSON object as a line.
    public mutating func write(_ fields: JSONFields) {
        bytes += JSONWriter.bytes(fields)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.capacity { flush() }
    }

    /// Writes the buffered lines.
    public mutating func flush() {
        if !bytes.isEmpty { output.write(bytes: bytes) }
        bytes.removeAll(keepingCapacity: true)
    }
}
