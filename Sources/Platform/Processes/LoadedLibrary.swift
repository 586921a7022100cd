/// A shared library that a program was loaded with.
public struct LoadedLibrary: Hashable, Sendable {
    /// As people know it.
    public let name: String
    /// Nil where the library does not tell its version.
    public let version: String?
    /// Where it was loaded from; nil where the system does not tell.
    public let file: String?

    /// The parameters are the properties of the same names.
    public init(name: String, version: String?, file: String?) {
        self.name = name
        self.version = version
        self.file = file
    }

    /// Libraries of this process, with the files that they were loaded from.
    ///
    /// - Parameter libraries: the name of each, its version if it tells one, and its file's name up to `.so`.
    public static func all(_ libraries: [(name: String, version: String?, file: String)]) -> [LoadedLibrary] {
        let files = OperatingSystem.loadedLibraries
        return libraries.map { library in
            let file = files.first { $0.split(separator: "/").last?.hasPrefix("\(library.file).so") == true }
            return LoadedLibrary(name: library.name, version: library.version, file: file)
        }
    }
}
