import CLittleCMS

/// The loaded Little CMS.
public enum ProfileLibrary {
    /// Version, such as `2.14`.
    public static var version: String {
        let number = Int(cmsGetEncodedCMMversion())
        return "\(number / 1000).\(number % 1000 / 10)"
    }
}
