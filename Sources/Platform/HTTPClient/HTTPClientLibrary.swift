internal import CCurl

/// The libcurl that is loaded.
public enum HTTPClientLibrary {
    /// Such as `7.88.1`.
    public static var version: String { unsafe String(cString: rawmill_web_version()) }
}
