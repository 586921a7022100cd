internal import Wire

/// Owns the memory that a message points into until it is packed. It holds only C values, which need no
/// deinitialisation.
final class Arena {
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit { for block in blocks { block.deallocate() } }

    func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        ProtobufCBinaryData(len: bytes.count, data: array(bytes))
    }

    /// A text of at most `limit` bytes, cut between two code points. NUL, which readers refuse, becomes U+FFFD.
    func text(_ text: String, limit: Int) -> ProtobufCBinaryData {
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            let scalar = scalar == "\0" ? "\u{FFFD}" : scalar
            count += UTF8.width(scalar)
            if count > limit { break }
            kept.append(scalar)
        }
        return bytes(Array(String(kept).utf8))
    }

    func pointer<Message>(to message: Message?) -> UnsafeMutablePointer<Message>? {
        message.flatMap { array([$0]) }
    }

    func list<Message>(
        _ messages: [Message]
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Message>?>? {
        array(messages.map { pointer(to: $0) })
    }

    /// A copy that lives as long as the arena; nil for no values.
    func array<Value>(_ values: [Value]) -> UnsafeMutablePointer<Value>? {
        guard !values.isEmpty else { return nil }
        let copy = UnsafeMutablePointer<Value>.allocate(capacity: values.count)
        copy.initialize(from: values, count: values.count)
        blocks.append(UnsafeMutableRawPointer(copy))
        return copy
    }
}

func packed<Message>(_ make: (Arena) -> Message) -> [UInt8] {
    let arena = Arena()
    var message = make(arena)
    return withExtendedLifetime(arena) {
        withUnsafePointer(to: &message) { pointer in
            // Every message begins with its `ProtobufCMessage`.
            let base = UnsafeRawPointer(pointer).assumingMemoryBound(to: ProtobufCMessage.self)
            let size = protobuf_c_message_get_packed_size(base)
            return Array(unsafeUninitializedCapacity: size) { buffer, count in
                count = buffer.baseAddress.map { protobuf_c_message_pack(base, $0) } ?? 0
            }
        }
    }
}
