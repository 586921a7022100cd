internal import CCurl

/// The loaded libcurl.
public enum HTTPClientLibrary {
    /// For example `7.88.1`.
    public static var version: String { unsafe String(cString: rawmill_web_version()) }
}
