import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// A small sensor in every form that DNG allows, with its expected samples.
struct DNGVariant: CustomTestStringConvertible, Sendable {
    var layout = SensorLayout.bayer([.red, .green, .green, .blue])
    var size = PixelSize(width: 64, height: 48)
    var orientation = Orientation.upright
    var compression = DNGCompression.losslessJPEG(predictor: 1)
    var chunking = DNGChunking.tiles(PixelSize(width: 32, height: 32))
    var huffmanTables = DNGHuffmanTables.shared
    var littleEndian = true
    var activeArea: PixelRect?
    var defaultCrop: PixelRect?
    var black: [UInt16] = [512, 512, 512, 512]

    var testDescription: String {
        "\(layout) \(size.width)×\(size.height) \(orientation) \(compression) \(chunking) "
            + (littleEndian ? "II" : "MM") + (huffmanTables == .shared ? "" : ", a table a component")
            + (activeArea == nil ? "" : " margins")
    }

    func picture() -> DNGPicture {
        var camera = SampleCamera()
        camera.black = black
        let plane = camera.expose(DNGVariants.scene, size: size, layout: layout)
        var picture = DNGPicture(plane: plane, layout: layout)
        picture.compression = compression
        picture.chunking = chunking
        picture.huffmanTables = huffmanTables
        picture.activeArea = activeArea
        picture.defaultCrop = defaultCrop
        picture.black = .init(rows: 2, columns: 2, values: black.map { Rational(Int64($0), 1) })
        return picture
    }

    func file(_ picture: borrowing DNGPicture) -> [UInt8] {
        var writer = DNGWriter()
        writer.orientation = orientation
        writer.littleEndian = littleEndian
        return writer.file(picture)
    }
}

enum DNGVariants {
    /// Shared, because making a scene takes longer than photographing it.
    static let scene = SampleScene(seed: 11)

    static let phases: [[CFAColour]] = [
        [.red, .green, .green, .blue], [.blue, .green, .green, .red], [.green, .red, .blue, .green],
        [.green, .blue, .red, .green],
    ]
    static let oddSizes = [
        PixelSize(width: 64, height: 48), PixelSize(width: 65, height: 49), PixelSize(width: 33, height: 31),
        PixelSize(width: 100, height: 23),
    ]
    static let chunkings: [DNGChunking] = [
        .tiles(PixelSize(width: 32, height: 32)), .tiles(PixelSize(width: 48, height: 16)), .strips(rows: 7),
        .strips(rows: 10_000),
    ]
    static let compressions: [DNGCompression] =
        (1...7).map { .losslessJPEG(predictor: $0) } + [.none(bits: 16), .none(bits: 14)]

    /// Every phase in every orientation and odd size, then every storage form.
    static var all: [DNGVariant] {
        var variants: [DNGVariant] = []
        for phase in phases {
            for orientation in Orientation.allCases {
                for size in oddSizes {
                    variants.append(DNGVariant(layout: .bayer(phase), size: size, orientation: orientation))
                }
            }
        }
        for compression in compressions {
            for chunking in chunkings {
                for littleEndian in [true, false] {
                    for size in oddSizes {
                        variants.append(
                            DNGVariant(
                                size: size, compression: compression, chunking: chunking, littleEndian: littleEndian))
                    }
                }
            }
        }
        for chunking in chunkings {
            for size in oddSizes {
                variants.append(DNGVariant(size: size, chunking: chunking, huffmanTables: .perComponent))
            }
        }
        return variants
    }
}

/// The first sample in which two planes differ, for messages; nil if they are equal.
func firstDifference(_ first: borrowing Plane<UInt16>, _ second: borrowing Plane<UInt16>) -> String? {
    guard first.size == second.size else { return "sizes \(first.size) and \(second.size)" }
    for y in 0..<first.height {
        for x in 0..<first.width where first.row(y)[x] != second.row(y)[x] {
            return "(\(x), \(y)): \(first.row(y)[x]) and \(second.row(y)[x])"
        }
    }
    return nil
}
