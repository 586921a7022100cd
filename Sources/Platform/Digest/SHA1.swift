internal import COpenSSL

/// SHA-1 (NIST FIPS 180-4) over a stream of bytes, by OpenSSL's EVP interface. Not collision-resistant: only for
/// protocols that identify files by it.
@safe public struct SHA1Hasher: ~Copyable {
    private let context: OpaquePointer

    /// Nil where OpenSSL's configuration forbids SHA-1.
    public init?() {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        guard unsafe EVP_DigestInit_ex(context, EVP_sha1(), nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            return nil
        }
        unsafe self.context = unsafe context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Appends bytes.
    public mutating func update(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The digest as 40 hexadecimal digits.
    public consuming func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 20)
        unsafe digest.withUnsafeMutableBufferPointer {
            _ = unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
        }
        return digest.hex
    }
}
