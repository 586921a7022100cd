internal import CZlib

/// The loaded zlib.
public enum DeflateLibrary {
    /// For example `1.2.13`.
    public static var version: String { unsafe String(cString: zlibVersion()) }
}
