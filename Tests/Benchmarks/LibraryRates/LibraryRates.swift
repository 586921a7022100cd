import Campaigns
import Digest
import Glibc
import Jobs
import LibraryTables
import PhotoTree
import PostgreSQL
import Selection
import Upkeep

/// Measures how fast a library finds photos: `library-rates FOLDER COUNT [ADDRESS]`; or how fast a campaign of all
/// photos switches and rolls back: `library-rates FOLDER COUNT switch [ADDRESS]`, in a separate folder.
///
/// FOLDER is created and filled with COUNT photos if it does not exist, and can be reused. For each condition it prints
/// processor milliseconds: the best of five for the first page, a page from the middle, and a count. It also measures
/// pages of bursts, opening, finding photos by key, listing all photos, and planning a campaign of all photos.
///
/// With ADDRESS, the library's tables are first moved to that PostgreSQL database, and all times are elapsed times,
/// because the server uses another process.
@main
enum LibraryRates {
    static let conditions = [
        "taken >= 2005",
        "taken = '2015-06-01'",
        "taken = 2015",
        "look = 'velvet@1' and camera like 'NIKON%' and taken < 2015",
        "camera = 'hasselblad x1d'",
        "camera like 'NIKON%'",
        "quality = 80",
        "exposure > 1 and taken between 2010 and 2012",
        "degraded is not null",
        "folder = '2015/06'",
        "megapixels > 30",
    ]

    static func main() throws {
        let arguments = CommandLine.arguments
        let isSwitch = arguments.count > 3 && arguments[3] == "switch"
        guard (3...(isSwitch ? 5 : 4)).contains(arguments.count), let count = Int(arguments[2]), count > 0 else {
            print("usage: library-rates FOLDER COUNT [switch] [ADDRESS]")
            exit(64)
        }
        let library = GeneratedLibrary(folder: arguments[1], count: count)
        if isSwitch {
            let address = arguments.count == 5 ? arguments[4] : nil
            return try SwitchRates(library: library).measure(
                on: address, address == nil ? processorSeconds : elapsedSeconds)
        }
        if arguments.count == 3 {
            let making = processorSeconds()
            try library.make()
            print("made in \(processorSeconds() - making) s")
        } else {
            let moving = elapsedSeconds()
            if try LibraryServer.address(of: library.folder) == nil {
                let report = try LibraryMigration(library: library.folder, to: ServerAddress(arguments[3])).run()
                print("moved \(report.rows.values.reduce(0, +)) rows in \(elapsedSeconds() - moving) s")
            }
            seconds = elapsedSeconds
        }
        let store = try LibraryStore(folder: library.folder, mode: .read)
        let middle = RelativePath("photos/archive/2015/01")
        print("| condition | photos | first page | page in the middle | count |")
        print("|---|---|---|---|---|")
        for text in conditions {
            let filter = PhotoFilter(selection: try Selection(text))
            let found = try store.photos.count(filter)
            let first = try best { try store.photos.each(filter, limit: 100) { _ in } }
            let later = try best {
                try store.photos.each(filter, after: middle, limit: 100) { _ in }
            }
            let counting = try best { _ = try store.photos.count(filter) }
            print("| `\(text)` | \(found) | \(first) ms | \(later) ms | \(counting) ms |")
        }
        for (name, filter) in [
            ("all", PhotoFilter()), ("taken = 2015", PhotoFilter(selection: try Selection("taken = 2015"))),
        ] {
            let first = try best { try store.photos.eachBurst(filter, limit: 100) { _ in } }
            let later = try best { try store.photos.eachBurst(filter, after: middle, limit: 100) { _ in } }
            var count = 0
            let counting = try best { count = try store.photos.burstMarks(filter, every: 500).count }
            print(
                "bursts of \(name): first page \(first) ms, in the middle \(later) ms, all \(count) counted in \(counting) ms"
            )
        }
        print("opened in \(try best { _ = try LibraryStore(folder: library.folder, mode: .read) }) ms")
        print(try keys(library.folder))
        print("walked all in \(try best { try store.photos.each { _ in } }) ms")
        print("a campaign of all in \(try plan(library.folder)) s")
    }

    /// Finds photos by key, and by the beginning of a key.
    private static func keys(_ folder: String) throws -> String {
        let store = try LibraryStore(folder: folder, mode: .read)
        var keys: [SHA256Value] = []
        try store.photos.each(limit: 1000) { keys.append($0.key.digest) }
        let start = seconds()
        _ = try keys.first.map { try store.rendition(named: $0) }
        let first = seconds() - start
        let next = try best { for key in keys { _ = try store.rendition(named: key) } }
        let none = try best { _ = try store.rendition(named: SHA256Value(of: [])) }
        let typed = try best {
            for key in keys.prefix(1) { _ = try store.assets.find(.prefix(String(key.description.prefix(16)))) }
        }
        return "the first photo of a key in \(first * 1000) ms, the next \(keys.count) in \(next) ms, "
            + "one that is not there in \(none) ms, a typed beginning in \(typed) ms"
    }

    /// Plans a campaign that gives every photo another look.
    private static func plan(_ folder: String) throws -> Double {
        let campaigns = try Campaigns(library: folder)
        let start = seconds()
        var targets: [SHA256Value: Recipe] = [:]
        for record in try campaigns.recipes(of: nil) {
            guard case .recipe(var recipe) = record.adjustment.reading,
                let look = LookReference(name: recipe.look.name, version: 2, digest: recipe.look.digest)
            else { continue }
            recipe.look = look
            targets[record.id] = recipe
        }
        let name = "all, for the \(try campaigns.all().count + 1). time"
        let plan = try campaigns.plan(name, nil, changes: "", targets: targets)
        print("planned \(plan.photos) photos")
        return seconds() - start
    }

    private static func best(_ body: () throws -> Void) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<5 {
            let start = seconds()
            try body()
            best = min(best, seconds() - start)
            if best > 1 { break }
        }
        return (best * 10_000).rounded() / 10
    }

    /// The clock: processor time or elapsed time.
    nonisolated(unsafe) private static var seconds: () -> Double = processorSeconds

    private static func elapsedSeconds() -> Double {
        let time = ContinuousClock().now.duration(to: epoch)
        return -(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    }

    private static let epoch = ContinuousClock().now

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
