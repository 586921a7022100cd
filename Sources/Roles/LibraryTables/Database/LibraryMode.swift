/// The purpose for which a library is opened.
public enum LibraryMode: Hashable, Sendable {
    /// Reads and writes; creates a missing library.
    case write
    /// Reads and writes an existing library; fails if it is missing, for example on an unmounted disk.
    case change
    /// As `write`, with other writers. A library in a file still has one writer.
    case share
    /// As `change`, also while others share a library on a server, but without a share of their work. For short
    /// changes.
    case visit
    case read
}
