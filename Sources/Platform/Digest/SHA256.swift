internal import COpenSSL

/// A SHA-256 digest: 32 bytes, printed and ordered as lower-case hexadecimal.
public struct SHA256Value: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Four big-endian numbers instead of a heap array: a record has a dozen of these.
    private let first, second, third, fourth: UInt64

    /// Nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var parts = Self.zero
        unsafe withUnsafeMutableBytes(of: &parts) { unsafe $0.copyBytes(from: bytes) }
        self.init(bigEndian: parts)
    }

    fileprivate init(bigEndian parts: Parts) {
        first = UInt64(bigEndian: parts.0)
        second = UInt64(bigEndian: parts.1)
        third = UInt64(bigEndian: parts.2)
        fourth = UInt64(bigEndian: parts.3)
    }

    fileprivate typealias Parts = (UInt64, UInt64, UInt64, UInt64)
    fileprivate static let zero: Parts = (0, 0, 0, 0)

    /// 32 bytes.
    public var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)) {
            unsafe Array($0)
        }
    }

    /// Nil unless the text is 64 hexadecimal digits.
    public init?(hex: some StringProtocol) {
        guard let bytes = [UInt8](hex: hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The digest of `bytes`.
    public init(of bytes: some Collection<UInt8>) {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    /// 64 lower-case hexadecimal digits.
    public var description: String { bytes.hex }

    /// Bytewise order.
    public static func < (a: Self, b: Self) -> Bool {
        (a.first, a.second, a.third, a.fourth) < (b.first, b.second, b.third, b.fourth)
    }
}

/// SHA-256 (NIST FIPS 180-4) over a stream of bytes, by OpenSSL's EVP interface.
@safe public struct SHA256Hasher: ~Copyable {
    private let context: OpaquePointer

    /// Fetched once, because OpenSSL 3 searches its providers each time a digest is started by name.
    ///
    /// `nonisolated(unsafe)`: a fetched algorithm is immutable, and OpenSSL counts its references atomically.
    nonisolated(unsafe) private static let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil)

    /// Starts a digest.
    public init() {
        // Fails only without memory or with a libcrypto that lacks SHA-256.
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, Self.algorithm, nil) == 1 else {
            preconditionFailure("OpenSSL has no SHA-256")
        }
        unsafe self.context = unsafe context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Appends bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// Appends bytes.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { unsafe update(UnsafeRawBufferPointer($0)) }
        if done == nil { unsafe Array(bytes).withUnsafeBytes { unsafe update($0) } }
    }

    /// The digest of all appended bytes.
    public consuming func finish() -> SHA256Value {
        var parts = SHA256Value.zero
        unsafe withUnsafeMutableBytes(of: &parts) { bytes in
            _ = unsafe EVP_DigestFinal_ex(context, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, nil)
        }
        return SHA256Value(bigEndian: parts)
    }
}
