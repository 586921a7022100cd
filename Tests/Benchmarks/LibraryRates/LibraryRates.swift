import Glibc
import Jobs
import Library

/// Measures how long a library takes to find photos: `library-rates FOLDER COUNT`.
///
/// FOLDER is created and filled with COUNT photos if it does not exist, and can be used again. For each condition it prints
/// the best of five first pages, of a page from the middle of the library, and of a count: milliseconds of the processor.
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
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
            print("usage: library-rates FOLDER COUNT")
            exit(64)
        }
        let library = GeneratedLibrary(folder: arguments[1], count: count)
        let making = processorSeconds()
        try library.make()
        print("made in \(processorSeconds() - making) s")
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
    }

    private static func best(_ body: () throws -> Void) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<5 {
            let start = processorSeconds()
            try body()
            best = min(best, processorSeconds() - start)
            if best > 1 { break }
        }
        return (best * 10_000).rounded() / 10
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
