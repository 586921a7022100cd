internal import CYAML

/// The libyaml that is loaded.
public enum YAMLLibrary {
    /// Such as `0.2.5`.
    public static var version: String { unsafe String(cString: yaml_get_version_string()) }
}
