/// The purpose for which a library is opened.
public enum LibraryMode: Hashable, Sendable {
    /// Reads and writes; creates a missing library.
    case write
    /// Reads and writes an existing library; fails if it is missing, as in the folder of a missing mount.
    case change
    /// As `write`, with other writers. A library in a file still has one writer.
    case share
    /// As `change`, also while others share a library on a server, without a share of their work. For short changes.
    case visit
    case read
}
