public import PhotoTree

extension LibraryStore {
    /// The albums of the library.
    public var albums: Albums { Albums(self) }
}
