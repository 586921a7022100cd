internal import CMicroHTTPD

/// The loaded libmicrohttpd.
public enum WebLibrary {
    /// For example `0.9.75`.
    public static var version: String { unsafe String(cString: MHD_get_version()) }
}
