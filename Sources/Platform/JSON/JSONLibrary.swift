internal import CJansson

/// The JSON library that is loaded.
public enum JSONLibrary {
    /// Its version: "2.14".
    public static var version: String { unsafe String(cString: jansson_version_str()) }
}
