import Develop
import Looks
import PictureFormat
import Pixels

/// The cost of looks, during developing and before the first photo.
enum LookTiming {
    /// Prints milliseconds of developing with each look, in alternating runs: median, minimum, the median relative to
    /// the first look's, and a checksum of the bytes.
    ///
    /// - Parameter chains: looks in the form of `--look`.
    static func run(_ image: borrowing SensorImage, threads: Int, _ chains: [String]) throws {
        let stages = try chains.map { try stage($0) }
        var times = [[Double]](repeating: [], count: chains.count)
        var sums = [UInt64](repeating: 0, count: chains.count)
        var context = DevelopContext()
        let settings = DevelopSettings(sharpening: 0.5, threads: threads)
        for turn in 0..<8 {
            for (index, stage) in stages.enumerated() {
                let start = Timing.now(threads)
                let picture = try context.develop(image, settings: settings, look: stage, preview: 512)
                // The first run makes tables.
                if turn > 0 { times[index].append(Timing.now(threads) - start) }
                sums[index] = Timing.checksum(picture)
            }
        }
        for (index, chain) in chains.enumerated() {
            let (median, least) = (Timing.median(times[index]), Timing.rounded(times[index].min() ?? 0))
            print(
                "\(chain): \(median) ms, least \(least) ms, \(Timing.rounded(median / Timing.median(times[0]))), "
                    + "bytes \(String(sums[index], radix: 16))")
        }
    }

    /// Prints the milliseconds for preparing each look, including tables, in a process that has not used looks before:
    /// the median of five alternating runs.
    static func warmUp() throws {
        let names = LookCatalogue.builtIn.looks.map(\.identifier) + CoreImageEffects.list.map(\.usage)
        var times = [[Double]](repeating: [], count: names.count)
        for _ in 0..<5 {
            for (index, name) in names.enumerated() {
                let start = Timing.now(1)
                var context = DevelopContext()
                context.prepare(try stage(name))
                times[index].append(Timing.now(1) - start)
            }
        }
        for (name, times) in zip(names, times) { print("\(name): \(Timing.median(times)) ms") }
        let medians = times.map(Timing.median)
        print("all: \(medians.min() ?? 0) to \(medians.max() ?? 0) ms")
    }

    private static func stage(_ text: String) throws -> any RowStage {
        let chain = try LookChain(text)
        if chain.isPlain { return try LookCatalogue.builtIn.look(text).stage() }
        let bytes = try chain.definition { path throws(LookError) in
            do { return try readFile(path) } catch { throw LookError("\(path) cannot be read") }
        }
        return try Look(file: bytes, fileName: "chain").stage()
    }
}
