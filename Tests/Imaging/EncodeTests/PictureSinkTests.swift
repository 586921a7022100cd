import Concurrency
import Metadata
import PictureFormat
import Pixels
import Testing

@testable import Encode

/// Properties of the sinks of all formats.
@Suite("Photo sinks")
struct PictureSinkTests {
    private static let deep: [PhotoCoding] = [
        .tiff, .png, .avif(LossyCoding(quality: 92, colourSpace: .sRGB)),
        .jxl(LossyCoding(quality: 92, colourSpace: .sRGB)),
    ]
    private static let all =
        deep + [
            .jpeg(JPEGCoding(quality: 92, subsampling: .full)),
            .jpeg(JPEGCoding(quality: 92, subsampling: .half, isProgressive: true)),
        ]

    /// The file made from strips in this order.
    private func file(
        _ coding: PhotoCoding, _ size: PixelSize, order: [Int]? = nil, threads: Int = 1,
        _ supplement: PhotoSupplement = .none,
        in file: MemoryFile = MemoryFile()
    ) throws -> [UInt8] {
        var encoder = PhotoEncoder()
        let sink = try encoder.begin(coding, RGBPictures.metadata(size), threads: threads, file: file)
        switch coding.depth {
        case .eight:
            let image = makePicture(size.width, size.height, .none)
            let strips = (0..<PictureStrip.count(size)).map { image.strip($0) }
            let order = order ?? Array(strips.indices)
            Parallel.forEach(threads) { thread in
                for place in stride(from: thread, to: order.count, by: threads) {
                    sink.write(.yCbCr(strips[order[place]]))
                }
            }
        case .sixteen:
            RGBPictures.write(RGBPictures.samples(size), size, order: order, threads: threads, to: sink)
        }
        let byteCount = try sink.finish(supplement)
        #expect(byteCount == file.bytes.count)
        return file.bytes
    }

    @Test("The order of the strips and the number of threads do not change the bytes", arguments: all)
    func order(coding: PhotoCoding) throws {
        let size = PixelSize(width: 101, height: 400)
        let inOrder = try file(coding, size)
        let order = Array(0..<PictureStrip.count(size))
        #expect(try file(coding, size, order: order.reversed()) == inOrder)
        #expect(try file(coding, size, order: [3, 0, 6, 1, 5, 2, 4]) == inOrder)
        for threads in [2, 3, 5] {
            #expect(try file(coding, size, order: [5, 2, 0, 6, 3, 1, 4], threads: threads) == inOrder)
        }
    }

    @Test("A file has its metadata, with the picture's size", arguments: all)
    func metadata(coding: PhotoCoding) throws {
        let size = PixelSize(width: 64, height: 70)
        let photo = PhotoBytes(try file(coding, size))
        #expect(PhotoMetadata.size(of: photo) == size)
        #expect(try PhotoMetadata.xmpPacket(in: photo) == RGBPictures.metadata(size).xmp)
    }

    @Test("An incomplete picture, a duplicate strip, and one of another depth are errors", arguments: all)
    func strips(coding: PhotoCoding) throws {
        let size = PixelSize(width: 80, height: 300)
        #expect(throws: EncodeError.encoderFailed("it received only a part of the picture")) {
            _ = try file(coding, size, order: [0, 1, 2, 4])
        }
        #expect(throws: EncodeError.self) { _ = try file(coding, size, order: [0, 1, 2, 3, 4, 2]) }

        var encoder = PhotoEncoder()
        let sink = try encoder.begin(coding, RGBPictures.metadata(size), threads: 1, file: MemoryFile())
        switch coding.depth {
        case .eight: RGBPictures.write(RGBPictures.samples(size), size, to: sink)
        case .sixteen:
            let image = makePicture(size.width, size.height)
            for index in 0..<PictureStrip.count(size) { sink.write(.yCbCr(image.strip(index))) }
        }
        #expect(throws: EncodeError.wrongDepth) { _ = try sink.finish(.none) }
    }

    @Test("A file that cannot be written is an error", arguments: all)
    func unwritable(coding: PhotoCoding) {
        let size = PixelSize(width: 80, height: 300)
        for writes in 0..<([.tiff, .png].contains(coding) ? 7 : 1) {
            #expect(throws: EncodeError.fileFailed, "after \(writes)") {
                _ = try file(coding, size, in: MemoryFile(writesLeft: writes))
            }
        }
    }

    @Test("Invalid qualities and sizes are errors")
    func limits() throws {
        var encoder = PhotoEncoder()
        let size = PixelSize(width: 8, height: 8)
        for coding in [
            PhotoCoding.jpeg(JPEGCoding(quality: 0)), .avif(LossyCoding(quality: 0, colourSpace: .sRGB)),
            .jxl(LossyCoding(quality: 0, colourSpace: .sRGB)),
        ] {
            #expect(throws: EncodeError.qualityOutOfRange(0)) {
                _ = try encoder.begin(coding, RGBPictures.metadata(size), threads: 1, file: MemoryFile())
            }
        }
        let huge = [PixelSize(width: 65_500, height: 65_500), PixelSize(width: 65_537, height: 8)]
        for (coding, size) in zip(Self.deep, [huge[0], huge[0], huge[1], huge[1]]) {
            #expect(throws: EncodeError.tooLargeForFormat(size)) {
                _ = try encoder.begin(coding, RGBPictures.metadata(size), threads: 1, file: MemoryFile())
            }
        }
    }

    @Test("An abandoned photo does not affect the next one")
    func givenUp() throws {
        let size = PixelSize(width: 100, height: 200)
        let coding = PhotoCoding.jpeg(JPEGCoding(quality: 92, subsampling: .full))
        let image = makePicture(size.width, size.height, .none)
        var encoder = PhotoEncoder()
        let given = try encoder.begin(coding, RGBPictures.metadata(size), threads: 1, file: MemoryFile())
        given.write(.yCbCr(image.strip(2)))
        let output = MemoryFile()
        let next = try encoder.begin(coding, RGBPictures.metadata(size), threads: 1, file: output)
        for index in 0..<PictureStrip.count(size) { next.write(.yCbCr(image.strip(index))) }
        _ = try next.finish(.none)
        #expect(output.bytes == (try file(coding, size)))
    }

    @Test("A JPEG contains the thumbnail and the gain map that come at its completion")
    func supplement() throws {
        let size = PixelSize(width: 64, height: 64)
        let thumbnail = try encode(makePicture(16, 16), segments: .bare)
        let map = try encode(makePicture(24, 24))
        for coding in Self.all where coding.takesSupplement {
            let plain = try file(coding, size)
            let photo = try file(coding, size, PhotoSupplement(thumbnail: thumbnail, gainMap: map))
            #expect(photo.suffix(map.count).elementsEqual(map))
            #expect(MultiPictureIndex.mapBytes(in: photo) == map.count)
            #expect(try #require(JPEGMetadata.exifBlock(in: photo)).suffix(thumbnail.count).elementsEqual(thumbnail))
            #expect(JPEGMetadata.picture(of: photo)?.starts(with: JPEGMetadata.picture(of: plain) ?? [0]) == true)
        }
        for coding in Self.deep {
            let supplement = PhotoSupplement(thumbnail: thumbnail, gainMap: map)
            #expect(try file(coding, size, supplement) == (try file(coding, size)))
        }
    }
}
