internal import Glibc
internal import Wire

typealias Unpack<Message> =
    (UnsafeMutablePointer<ProtobufCAllocator>?, Int, UnsafePointer<UInt8>?) -> UnsafeMutablePointer<Message>?

/// Unpacks a message and passes it to `body`, which validates it; it is freed afterwards.
///
/// protobuf-c allocates 500 bytes for an empty rendition of 2 bytes, so its memory is limited: to `memory` bytes, or 64
/// times the record's size. `limit` is the maximum size of the record, in bytes.
func unpacked<Message, Value>(
    _ bytes: [UInt8], limit: Int, allocating memory: Int? = nil, _ unpack: Unpack<Message>,
    _ body: (Message) throws(RecordError) -> Value
) throws(RecordError) -> Value {
    guard bytes.count <= limit else {
        throw .malformed("\(bytes.count) bytes, more than the limit of \(limit)")
    }
    var budget = AllocationBudget(left: memory ?? 64 * bytes.count + 64 * 1024)
    let result: Result<Value, RecordError> = withUnsafeMutablePointer(to: &budget) { budget in
        var allocator = ProtobufCAllocator(
            alloc: AllocationBudget.allocate, free: { _, block in free(block) }, allocator_data: budget)
        guard let message = unpack(&allocator, bytes.count, bytes) else {
            return .failure(.malformed("\(bytes.count) bytes that are not a protobuf message of this type"))
        }
        defer {
            protobuf_c_message_free_unpacked(
                UnsafeMutableRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self), &allocator)
        }
        return Result { () throws(RecordError) in try body(message.pointee) }
    }
    return try result.get()
}

/// The bytes that one unpacking may still allocate. Freeing returns nothing.
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
