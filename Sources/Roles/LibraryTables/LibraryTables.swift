/// The tables of a library, over one connection. Not thread-safe.
public struct LibraryTables {
    /// The progress in each topic.
    public let offsets: OffsetTable
    /// Results of manifests that the coordinator does not have yet.
    public let results: ResultTable
    /// Sources that were moved into the library and await removal.
    public let removals: RemovalTable
    /// The library's files according to its rows.
    public let files: FileQueries
    /// Photos that users removed from the library.
    public let removed: RemovedTable
    /// The content as text, for comparing libraries.
    public let content: ContentDump
    /// Render times of photos.
    public let renderTimes: RenderTimeTable

    package let database: LibraryDatabase
    package let renditions: RenditionTable
    package let revisions: RevisionTable
    package let copies: OriginalCopyTable
    package let entries: TreeTable
    package let pendingLinks: PendingLinkTable
    package let placed: PlacedTable
    package let sightings: SightingTable
    package let people: PeopleTable

    package init(_ database: LibraryDatabase, finder: RenditionFinder) throws {
        self.database = database
        offsets = OffsetTable(database)
        removals = RemovalTable(database)
        results = ResultTable(database)
        renderTimes = RenderTimeTable(database)
        renditions = RenditionTable(database, finder: finder)
        revisions = RevisionTable(database)
        copies = try OriginalCopyTable(database)
        pendingLinks = PendingLinkTable(database)
        placed = PlacedTable(database)
        sightings = SightingTable(database)
        people = PeopleTable(database)
        entries = TreeTable(database)
        removed = try RemovedTable(database)
        content = ContentDump(database)
        files = FileQueries(
            database, renditions: renditions, copies: copies, entries: entries, sightings: sightings,
            people: people)
    }
}
