internal import CYAML

/// The loaded libyaml.
public enum YAMLLibrary {
    /// For example `0.2.5`.
    public static var version: String { unsafe String(cString: yaml_get_version_string()) }
}
