internal import COpenSSL

/// The OpenSSL that is loaded.
public enum OpenSSLLibrary {
    /// Such as `3.0.17`.
    public static var version: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
}
