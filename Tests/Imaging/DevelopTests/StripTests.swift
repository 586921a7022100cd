import Develop
import PictureFormat
import Pixels
import Synchronization
import Testing

@Suite("Strips of a picture")
struct StripTests {
    private final class Collector: StripSink {
        struct Strip {
            let size: PixelSize
            let luma: [UInt8]
            let cb: [UInt8]
            let cr: [UInt8]
        }

        let strips = Mutex<[Int: [Strip]]>([:])

        func write(_ strip: PictureStrip) {
            guard case .yCbCr(let strip) = strip else {
                Issue.record("strip of another depth")
                return
            }
            let divisor = strip.subsampling == .quarter ? 2 : 1
            let chroma = PixelSize(
                width: (strip.size.width + divisor - 1) / divisor, height: (strip.size.height + divisor - 1) / divisor)
            let copied = Strip(
                size: strip.size, luma: copy(strip.luma, strip.lumaStride, strip.size),
                cb: copy(strip.cb, strip.chromaStride, chroma), cr: copy(strip.cr, strip.chromaStride, chroma))
            strips.withLock { $0[strip.index, default: []].append(copied) }
        }

        private func copy(_ samples: UnsafePointer<UInt8>, _ stride: Int, _ size: PixelSize) -> [UInt8] {
            (0..<size.height).flatMap { UnsafeBufferPointer(start: samples + $0 * stride, count: size.width) }
        }
    }

    @Test(
        "Every strip comes once, and they form the picture, in every orientation and with any number of threads",
        arguments: Orientation.allCases, [1, 2, 3, 7])
    func complete(orientation: Orientation, threads: Int) throws {
        var context = DevelopContext()
        var random = Sensors.Random(state: 5)
        for (width, height) in [(70, 203), (131, 64), (129, 65), (64, 127), (3, 2)] {
            let size = PixelSize(width: width, height: height)
            let facts = Sensors.facts(.bayer(Sensors.phases[1]), size, orientation: orientation)
            let image = Sensors.image(facts) { _, _ in Int.random(in: 64...4000, using: &random) }
            for (subsampling, edge) in [(ChromaSubsampling.quarter, nil), (.none, nil), (.quarter, 97)] {
                let settings = DevelopSettings(
                    longEdge: edge, sharpening: 1, subsampling: subsampling, threads: threads)
                let whole = Bytes(try context.develop(image, settings: settings).full)
                let collector = Collector()
                let inStrips = context.develop(image, try context.plan(image, settings: settings), into: collector)
                #expect(inStrips.size == whole.size)
                let strips = collector.strips.withLock { $0 }
                let sorted = strips.sorted { $0.key < $1.key }.flatMap(\.value)
                #expect(strips.keys.sorted() == Array(0..<PictureStrip.count(whole.size)))
                #expect(sorted.count == strips.count)
                #expect(sorted.dropLast().allSatisfy { $0.size.height == PictureStrip.rows })
                #expect(sorted.flatMap(\.luma) == whole.luma)
                #expect(sorted.flatMap(\.cb) == whole.cb)
                #expect(sorted.flatMap(\.cr) == whole.cr)
            }
        }
    }
}
