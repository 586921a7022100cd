internal import Jobs
internal import LibraryTables
internal import PhotoTree
internal import Storage

/// A moment at which a cataloguer can die.
enum MergeStep: Hashable {
    case merged(RenditionKey)
    case rowsWritten
    case committed
    case linkUpdated(LinkUpdate)
    case linksDurable
    case sourceRemoved(SourceRemoval)
    /// The results are durable in their topic, and still in the library.
    case resultsPublished
}
