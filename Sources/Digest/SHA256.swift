internal import COpenSSL

/// A SHA-256 value: 32 bytes, printed and ordered as lower-case hexadecimal.
public struct SHA256Value: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let bytes: [UInt8]

    /// Nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Nil unless the text is 64 hexadecimal digits.
    public init?(hex: some StringProtocol) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The digest of one run of bytes.
    public init(of bytes: some Collection<UInt8>) {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    public var description: String { bytes.hex }

    public static func < (a: Self, b: Self) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

/// SHA-256 (NIST FIPS 180-4) over a stream of bytes, by OpenSSL's EVP interface.
public struct SHA256Hasher: ~Copyable {
    let context: OpaquePointer

    public init() {
        // Fails only without memory or without SHA-256 in libcrypto: neither leaves anything to do.
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("OpenSSL has no SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    public mutating func update(_ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if done == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    public consuming func finish() -> SHA256Value {
        var bytes = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &bytes, nil)
        guard let value = SHA256Value(bytes: bytes) else { preconditionFailure("SHA-256 has 32 bytes") }
        return value
    }
}
