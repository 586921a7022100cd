import Decode
import Develop
import Encode
import PictureFormat
import Pixels

/// The unavoidable work: unpacking the RAW, and encoding a JPEG from existing planes. The rest of a render is compared
/// with it.
enum Floor {
    static func run(_ bytes: UnsafeRawBufferPointer, threads: Int) throws {
        var unpacking: [Double] = []
        var encoding: [Double] = []
        var context = DevelopContext()
        let image = try RawFile(bytes: bytes).decode(threads: threads)
        let megapixels = Double(image.facts.crop.size.pixelCount) / 1e6
        let picture = try context.develop(image, settings: DevelopSettings(threads: threads))
        var encoder = try JPEGEncoder(profiles: ICCProfiles())
        for _ in 0..<7 {
            let start = Timing.now(threads)
            let again = try RawFile(bytes: bytes).decode(threads: threads)
            let between = Timing.now(threads)
            try encoder.encode(picture.full, quality: 90, segments: .onlyProfile)
            unpacking.append(between - start)
            encoding.append(Timing.now(threads) - between)
            if again.plane.width == 0 { print("") }
        }
        print(
            "floor: \(megapixels) megapixels, unpack \(Timing.median(unpacking)) ms, encode \(Timing.median(encoding)) ms"
        )
    }
}
