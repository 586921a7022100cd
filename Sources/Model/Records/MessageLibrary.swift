internal import Wire

/// The loaded protobuf-c.
public enum MessageLibrary {
    /// Such as `1.4.1`.
    public static var version: String { unsafe String(cString: protobuf_c_version()) }
}
