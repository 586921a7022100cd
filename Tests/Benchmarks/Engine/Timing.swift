import Develop
import Glibc
import Looks
import PictureFormat
import Pixels

/// Milliseconds of whole developments. The cost of a step is the difference of two of them.
enum Timing {
    /// An unknown shape was requested.
    struct UnknownName: Error, CustomStringConvertible {
        let name: String
        let known: [String]
        var description: String { "there is no \"\(name)\" to time; there are: \(known.joined(separator: "; "))" }
    }

    static func run(_ image: borrowing SensorImage, threads: Int, only: String?) throws {
        let megapixels = Double(image.facts.crop.size.pixelCount) / 1e6
        let before = peakMemory()
        let table = try Look(file: Array(filmCube.utf8), fileName: "film.cube")
        let neutral = try LookCatalogue.builtIn.look("neutral")
        let mono = try LookCatalogue.builtIn.look("mono")
        let film = try LookCatalogue.builtIn.look("nocturne")
        let silver = try LookCatalogue.builtIn.look("silver")
        let all: [(String, any RowStage, Int?, DevelopSettings)] = [
            ("neutral", neutral.stage(), nil, DevelopSettings(sharpening: 0.5, threads: threads)),
            ("neutral, not sharpened", neutral.stage(), nil, DevelopSettings(sharpening: 0, threads: threads)),
            (
                "neutral 4:4:4", neutral.stage(), nil,
                DevelopSettings(sharpening: 0.5, subsampling: .none, threads: threads)
            ),
            ("neutral, preview", neutral.stage(), 2048, DevelopSettings(sharpening: 0.5, threads: threads)),
            ("mono", mono.stage(), nil, DevelopSettings(sharpening: 0.5, threads: threads)),
            ("33³ table", table.stage(), nil, DevelopSettings(sharpening: 0.5, threads: threads)),
            ("33³ table, preview", table.stage(), 2048, DevelopSettings(sharpening: 0.5, threads: threads)),
            ("film", film.stage(), nil, DevelopSettings(sharpening: 0.5, threads: threads)),
            ("film, preview", film.stage(), 2048, DevelopSettings(sharpening: 0.5, threads: threads)),
            ("film of one layer", silver.stage(), nil, DevelopSettings(sharpening: 0.5, threads: threads)),
            ("only 2048", neutral.stage(), nil, DevelopSettings(longEdge: 2048, sharpening: 0.5, threads: threads)),
        ]
        let shapes = all.filter { only == nil || $0.0 == only }
        if shapes.isEmpty { throw UnknownName(name: only ?? "", known: all.map(\.0)) }
        var times = [[Double]](repeating: [], count: shapes.count)
        var sums = [UInt64](repeating: 0, count: shapes.count)
        var context = DevelopContext()
        for _ in 0..<7 {
            for (i, shape) in shapes.enumerated() {
                let start = Self.now(threads)
                let result = try context.develop(image, settings: shape.3, look: shape.1, preview: shape.2)
                times[i].append(Self.now(threads) - start)
                sums[i] = checksum(result)
            }
        }
        print("\(megapixels) megapixels, \(threads) threads; median and minimum of \(times[0].count)")
        for (i, shape) in shapes.enumerated() {
            let sorted = times[i].sorted()
            let middle = sorted[sorted.count / 2]
            print(
                "\(shape.0): \(rounded(middle)) ms, least \(rounded(sorted[0])) ms, "
                    + "\(rounded(middle / megapixels)) ms/MP, bytes \(String(sums[i], radix: 16))")
        }
        print("peak memory: \(before / 1024) MB before, \(peakMemory() / 1024) MB after")
    }

    /// A checksum that shows whether two builds of the engine agree.
    static func checksum(_ picture: borrowing DevelopedPicture) -> UInt64 {
        var sum = checksum(picture.full, 14_695_981_039_346_656_037)
        switch picture.preview {
        case .some(let preview): sum = checksum(preview, sum)
        case .none: break
        }
        return sum
    }

    private static func checksum(_ picture: borrowing OutputImage, _ start: UInt64) -> UInt64 {
        var sum = start
        for y in 0..<picture.luma.height { add(picture.luma.row(y), picture.luma.width, to: &sum) }
        for y in 0..<picture.cb.height { add(picture.cb.row(y), picture.cb.width, to: &sum) }
        for y in 0..<picture.cr.height { add(picture.cr.row(y), picture.cr.width, to: &sum) }
        return sum
    }

    private static func add(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, to sum: inout UInt64) {
        for x in 0..<count { sum = (sum ^ UInt64(bytes[x])) &* 1_099_511_628_211 }
    }

    /// Milliseconds: processor time for one thread, which is independent of other programs; elapsed time for several.
    static func now(_ threads: Int) -> Double {
        var time = timespec()
        clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    static func median(_ times: [Double]) -> Double { rounded(times.sorted()[times.count / 2]) }

    static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    /// A mild film-like table with 33 points per edge.
    static var filmCube: String {
        var text = "LUT_3D_SIZE 33\n"
        for b in 0..<33 {
            for g in 0..<33 {
                for r in 0..<33 {
                    let (x, y, z) = (Double(r) / 32, Double(g) / 32, Double(b) / 32)
                    let l = 0.3 * x + 0.59 * y + 0.11 * z
                    let v = [
                        l + (x - l) * 1.15 + 0.02 * (1 - l), l + (y - l) * 1.05, l + (z - l) * 0.95 + 0.03 - 0.06 * l,
                    ]
                    text += v.map { "\(min(max($0, 0), 1))" }.joined(separator: " ") + "\n"
                }
            }
        }
        return text
    }
}
