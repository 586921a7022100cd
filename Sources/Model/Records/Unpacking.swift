internal import Glibc
internal import Wire

typealias Unpack<Message> =
    (UnsafeMutablePointer<ProtobufCAllocator>?, Int, UnsafePointer<UInt8>?) -> UnsafeMutablePointer<Message>?

/// Reads a message and hands it to `body`; the message lives for that call.
///
/// protobuf-c takes 500 bytes for an empty rendition of 2, so what it may allocate is bounded by what came.
func unpacked<Message, Value>(
    _ bytes: [UInt8], limit: Int, _ unpack: Unpack<Message>, _ body: (Message) throws(RecordError) -> Value
) throws(RecordError) -> Value {
    guard bytes.count <= limit else {
        throw .malformed("\(bytes.count) bytes, and \(limit) are the most that is read")
    }
    var budget = AllocationBudget(left: 64 * bytes.count + 64 * 1024)
    let result: Result<Value, RecordError> = withUnsafeMutablePointer(to: &budget) { budget in
        var allocator = ProtobufCAllocator(
            alloc: AllocationBudget.allocate, free: { _, block in free(block) }, allocator_data: budget)
        guard let message = unpack(&allocator, bytes.count, bytes) else {
            return .failure(.malformed("\(bytes.count) bytes that are not protobuf of this kind"))
        }
        defer {
            protobuf_c_message_free_unpacked(
                UnsafeMutableRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self), &allocator)
        }
        return Result { () throws(RecordError) in try body(message.pointee) }
    }
    return try result.get()
}

/// What one unpacking may still allocate, in bytes; freeing gives nothing back.
private struct AllocationBudget {
    var left: Int

    static let allocate: @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer? = { data, size in
        guard let budget = data?.assumingMemoryBound(to: AllocationBudget.self), size <= budget.pointee.left else {
            return nil
        }
        budget.pointee.left -= size
        return malloc(size)
    }
}
