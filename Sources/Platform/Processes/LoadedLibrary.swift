/// A loaded shared library.
public struct LoadedLibrary: Hashable, Sendable {
    /// Display name.
    public let name: String
    /// Nil if unknown.
    public let version: String?
    /// Path of the loaded file; nil if unknown.
    public let file: String?

    /// Describes a library.
    public init(name: String, version: String?, file: String?) {
        self.name = name
        self.version = version
        self.file = file
    }

    /// Libraries of this process with the paths they were loaded from.
    ///
    /// - Parameter libraries: display name, version if known, and the file's name up to `.so`.
    public static func all(_ libraries: [(name: String, version: String?, file: String)]) -> [LoadedLibrary] {
        let files = OperatingSystem.loadedLibraries
        return libraries.map { library in
            let file = files.first { $0.split(separator: "/").last?.hasPrefix("\(library.file).so") == true }
            return LoadedLibrary(name: library.name, version: library.version, file: file)
        }
    }
}
