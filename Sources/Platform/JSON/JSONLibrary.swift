internal import CJansson

/// The loaded Jansson.
public enum JSONLibrary {
    /// For example "2.14".
    public static var version: String { unsafe String(cString: jansson_version_str()) }
}
