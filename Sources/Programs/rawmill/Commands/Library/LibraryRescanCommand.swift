import Arguments
import ClusterControl
import CommandLineTool
import Coordinator
import Jobs
import KafkaBroker
import LibraryTables
import Manifests
import PictureFormat
import Runs
import Serving
import Storage
import Telemetry
import Upkeep

/// `rawmill library rescan`: reads the changed sidecars of a library's photos.
enum LibraryRescanCommand {
    static let command: Command = Command(
        "rescan", summary: "Read changed sidecars: stars, keywords, titles, places.",
        discussion: """
            Rescan reads the sidecars (IMG.NEF.xmp, IMG.xmp) beside the RAWs of all photos, or of those that --where \
            selects. If a sidecar was added, changed or removed, the photo gets the new metadata; it is not \
            developed again. Photos whose stars and keywords the library does not have are read as well. With \
            --broker, a cluster's workers do the work, while its roles run.

            Photos of an older engine, and photos whose RAW exists only in the library, stay as they are.

            Exit status: 0 done, 3 some RAWs are missing or could not be read, 130 interrupted (run the same command \
            to continue).
            """,
        examples: [
            .init("rawmill library rescan --library film", "after an evening with darktable or digiKam"),
            .init("rawmill library rescan --where \"taken >= 2026-11\" --library film", "recent photos only"),
        ],
        parameters: [LibraryOption.parameter, SelectionOption.parameter] + WorkerOptions.all + ReportOptions.all
            + BrokerOptions.optional
    ) { values in
        let selection = try SelectionOption.selection(values)
        let worker = try await RescanWorker(values)
        var counts = RescanCounts()
        var last: RelativePath?
        while let page = try PhotoRescan(library: worker.folder, mode: .read).page(
            selection, after: last, limit: worker.pageSize)
        {
            last = page.last
            if page.photos.contains(where: \.isIncomplete) {
                counts.completed += try PhotoRescan(library: worker.folder, mode: .visit).complete(page)
            }
            let status = try await worker.render(page, &counts)
            if status == ExitStatus.interrupted { return status }
            counts.hasFailures = counts.hasFailures || status != ExitStatus.done
            counts.photos += page.photos.count
            counts.changed += try PhotoRescan(library: worker.folder, mode: .read).changedCount(since: page)
        }
        if values[ReportOptions.json] {
            TextOutput.standardOutput.write(event: "rescanned", counts.fields)
        } else if !values[ReportOptions.quiet] {
            for line in counts.lines { TextOutput.standardOutput.write(line: line) }
        }
        return counts.hasFailures || counts.missing > 0 ? ExitStatus.someFailed : ExitStatus.done
    }
}

struct RescanCounts {
    var photos = 0
    var changed = 0
    /// Rows of old versions that received ratings and keywords.
    var completed = 0
    /// Photos whose RAW is missing or is another file.
    var missing = 0
    /// Photos that this version does not render again.
    var older = 0
    /// Photos whose RAW exists only in the library.
    var ownCopies = 0
    var hasFailures = false

    var fields: JSONFields {
        [
            "photos": photos, "changed": changed, "completed": completed, "missing": missing, "older": older,
            "ownCopies": ownCopies,
        ]
    }

    var lines: [String] {
        func photos(_ count: Int) -> String { SummaryText.counted(count, "photo") }
        var lines = ["Updated from sidecars: \(changed) of \(photos(self.photos))."]
        if completed > 0 { lines.append("Stars and keywords that the library lacked: \(photos(completed)).") }
        if older > 0 {
            lines.append("Of another engine or program: \(photos(older)). `rawmill convert` renders them again.")
        }
        if ownCopies > 0 { lines.append("Unchanged, because only the library has the RAWs: \(photos(ownCopies)).") }
        if missing > 0 {
            lines.append("Unchanged, because the RAWs are missing or have changed: \(photos(missing)).")
        }
        return lines
    }
}

/// Renders photos again with their own recipes, on this machine or in a cluster. Photos without a changed sidecar are
/// skipped.
private struct RescanWorker {
    let folder: String
    private let values: ArgumentValues
    private let broker: BrokerAddress?
    private let locator: RawLocator?
    private let console = Console(terminal: Terminal(descriptor: 2))

    init(_ values: ArgumentValues) async throws {
        self.values = values
        folder = values[LibraryOption.parameter]
        broker = values[BrokerOptions.optionalBroker]
        locator = broker == nil ? try await RawLocator(library: folder) : nil
        if broker != nil, try LibraryServer.address(of: folder) == nil {
            throw CommandFailure(
                "this library uses a SQLite file, which allows one writer. Move its tables to a PostgreSQL server (rawmill "
                    + "library migrate), or stop the cataloguer and rescan without --broker.")
        }
    }

    /// A cluster's orders are made in memory.
    var pageSize: Int { broker == nil ? 5000 : 1000 }

    /// Returns the exit status of the run.
    func render(_ page: PhotoRescan.Page, _ counts: inout RescanCounts) async throws -> Int32 {
        var photos: [(photo: PhotoRescan.Photo, recipe: Recipe)] = []
        for photo in page.photos {
            guard photo.record.engine == Engine.version,
                case .recipe(let recipe) = photo.record.recipe.adjustment.reading
            else {
                counts.older += 1
                continue
            }
            if photo.raws.isEmpty { counts.ownCopies += 1 } else { photos.append((photo, recipe)) }
        }
        if let broker { return try await order(photos, from: broker) }
        let found = photos.compactMap { photo, recipe in
            locator?.path(of: photo.raws, sizeBytes: photo.record.original.sizeBytes).map {
                (source: $0, recipe: recipe)
            }
        }
        counts.missing += photos.count - found.count
        return try await CampaignRunCommand.render(found, values, console)
    }

    private func order(
        _ photos: [(photo: PhotoRescan.Photo, recipe: Recipe)], from broker: BrokerAddress
    ) async throws -> Int32 {
        let transport = try BrokerOptions.commandTransport(values, to: broker)
        let orders = UnpublishedOrders(
            photos.compactMap { photo, recipe in photo.raws.first.map { ($0, EditedRecipe(recipe: recipe)) } })
        try await orders.send(with: ControlSender(transport))
        var isWhole = true
        for batch in orders.batches {
            let status = try await BatchWatcher(batch, transport).run { _ in }
            isWhole = isWhole && status.phase == .completed && status.counts.failed == 0
        }
        await transport.close()
        return isWhole ? ExitStatus.done : ExitStatus.someFailed
    }
}
