public import Foundation

/// RAW files of real cameras. They are not part of the project: they lie in `shared/raw` beside it.
public enum RealFiles {
    /// - Returns: nil, with a printed reason, where they are missing.
    /// - Throws: where they are missing and CI runs the tests.
    public static func folder() throws -> URL? {
        let folder = Checkout.shared.appending(path: "raw")
        if FileManager.default.fileExists(atPath: folder.path) { return folder }
        try skip("there are no real files in \(folder.path)")
        return nil
    }

    /// The bytes of one of them.
    public static func bytes(of name: String) throws -> [UInt8]? {
        try folder().map { [UInt8](try Data(contentsOf: $0.appending(path: name))) }
    }
}
