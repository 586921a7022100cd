public import Foundation

/// RAW files of real cameras. They are not part of the project: they lie in `shared/raw` beside it. A test that uses them
/// says `.needs(.realFiles)`.
public enum RealFiles {
    /// Where they are.
    public static let folderURL = Checkout.shared.appending(path: "raw")

    /// The file of that name.
    public static func url(of name: String) -> URL { folderURL.appending(path: name) }

    /// The bytes of the file of that name.
    public static func contents(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(of: name))) }
}
