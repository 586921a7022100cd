internal import CZlib

/// The zlib that is loaded.
public enum DeflateLibrary {
    /// Such as `1.2.13`.
    public static var version: String { String(cString: zlibVersion()) }
}
