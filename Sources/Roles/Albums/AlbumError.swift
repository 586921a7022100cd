/// Why an album cannot be changed, with the remedy.
public enum AlbumError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No such album; `near` is a similar name.
    case unknown(String, near: String?)
    /// The name is in use.
    case exists(String)
    /// An invalid name.
    case badName(String)
    /// The photo to place others beside is not in the album, or is one of them.
    case notAnAnchor(String, album: String)

    /// The cause and the remedy.
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
