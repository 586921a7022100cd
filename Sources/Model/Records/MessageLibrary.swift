internal import Wire

/// The protobuf-c that is loaded.
public enum MessageLibrary {
    /// Such as `1.4.1`.
    public static var version: String { unsafe String(cString: protobuf_c_version()) }
}
