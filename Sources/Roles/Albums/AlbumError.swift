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
                    ?? ". `rawmill album create` creates it; `rawmill album list` lists all albums.")
        case .exists(let name): "there is an album \"\(name)\" already: give another name, or add to that one."
        case .badName(let name):
            "\"\(name)\" is not a valid album name: use 1 to 100 characters, without control characters or spaces at "
                + "either end."
        case .notAnAnchor(let photo, let album):
            "\"\(photo)\" is not in the album \"\(album)\", or is one of the photos to move. `rawmill album show` "
                + "lists the album."
        }
    }
}
