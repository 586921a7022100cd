internal import CMicroHTTPD

/// The libmicrohttpd that is loaded.
public enum WebLibrary {
    /// Such as `0.9.75`.
    public static var version: String { String(cString: MHD_get_version()) }
}
