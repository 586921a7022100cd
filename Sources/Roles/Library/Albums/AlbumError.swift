/// Why an album cannot be changed as it was asked, with the remedy.
public enum AlbumError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such album; `near` is a similar name.
    case unknown(String, near: String?)
    /// There is one of that name.
    case exists(String)
    /// A name that no album can have.
    case badName(String)
    /// A photo that others are to stand beside is not in the album, or is to be moved itself.
    case notAnAnchor(String, album: String)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .unknown(let name, let near):
            "there is no album \"\(name)\""
                + (near.map { "; did you mean \"\($0)\"?" }
                    ?? ". `rawmill album create` makes it, `rawmill album list` shows those that are there.")
        case .exists(let name): "there is an album \"\(name)\" already: give another name, or add to that one."
        case .badName(let name):
            "\"\(name)\" cannot be an album's name: it has 1 to 100 characters, no control characters, and no blank in front "
                + "or behind."
        case .notAnAnchor(let photo, let album):
            "\"\(photo)\" is not among the photos of the album \"\(album)\" that stay where they are. `rawmill album show` "
                + "shows them in their order."
        }
    }
}
