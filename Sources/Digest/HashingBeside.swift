internal import COpenSSL
internal import Glibc

extension SHA256Hasher {
    /// Takes the bytes in on another thread while `body` runs on this one, and returns when both are done. Where the
    /// system has no thread left, one after the other.
    ///
    /// - Parameter bytes: must stay as they are until then.
    public mutating func update<Value: ~Copyable, Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, beside body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let work = Unmanaged.passRetained(HashingWork(context: context, bytes: bytes))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, runHashing, work.toOpaque()) == 0 else {
            work.release()
            update(bytes)
            return try body()
        }
        defer { pthread_join(thread, nil) }
        return try body()
    }
}

private final class HashingWork {
    let context: OpaquePointer
    let bytes: UnsafeRawBufferPointer

    init(context: OpaquePointer, bytes: UnsafeRawBufferPointer) {
        self.context = context
        self.bytes = bytes
    }
}

private func runHashing(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let work = Unmanaged<HashingWork>.fromOpaque(argument).takeRetainedValue()
    EVP_DigestUpdate(work.context, work.bytes.baseAddress, work.bytes.count)
    return nil
}
