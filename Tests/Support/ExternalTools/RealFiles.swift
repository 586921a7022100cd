public import Foundation

/// RAW files of real cameras, in `shared/raw` beside the project. A test that uses them has the trait
/// `.needs(.realFiles)`.
public enum RealFiles {
    /// The folder of the files.
    public static let folderURL = Checkout.shared.appending(path: "raw")

    /// URL of a file.
    public static func url(of name: String) -> URL { folderURL.appending(path: name) }

    /// Contents of a file.
    public static func contents(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(of: name))) }
}
