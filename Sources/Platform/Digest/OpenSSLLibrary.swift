internal import COpenSSL

/// The loaded OpenSSL.
public enum OpenSSLLibrary {
    /// For example `3.0.17`.
    public static var version: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
}
