import PictureFormat
import Pixels

@testable import Encode

/// A generated picture with gradients and fine detail; the planes' padding is filled with `padding`.
func makePicture(
    _ width: Int, _ height: Int, _ subsampling: ChromaSubsampling = .quarter, space: ColourSpace = .sRGB,
    padding: UInt8 = 0
) -> OutputImage {
    let divisor = subsampling == .quarter ? 2 : 1
    let chromaWidth = (width + divisor - 1) / divisor
    let chromaHeight = (height + divisor - 1) / divisor
    return OutputImage(
        luma: makePlane(width, height, padding) { UInt8(truncatingIfNeeded: $0 &* 3 &+ $1 ^ ($0 &* $1 / 7)) },
        cb: makePlane(chromaWidth, chromaHeight, padding) { UInt8(truncatingIfNeeded: 100 &+ $0 / 5 &+ $1 / 9) },
        cr: makePlane(chromaWidth, chromaHeight, padding) { UInt8(truncatingIfNeeded: 150 &- $0 / 8 &+ $1 / 6) },
        subsampling: subsampling, colourSpace: space)
}

private func makePlane(_ width: Int, _ height: Int, _ padding: UInt8, _ sample: (Int, Int) -> UInt8) -> Plane<UInt8> {
    let plane = Plane<UInt8>(width: width, height: height)
    plane.samples.update(repeating: padding)
    for y in 0..<height {
        for x in 0..<width { plane.row(y)[x] = sample(x, y) }
    }
    return plane
}

func encode(
    _ image: borrowing OutputImage, quality: Int = 90, segments: JPEGSegments = .onlyProfile
) throws -> [UInt8] {
    var encoder = try JPEGEncoder(profiles: ICCProfiles())
    try encoder.encode(image, quality: quality, segments: segments)
    return encoder.copyBytes()
}

/// Encodes a picture from strips.
///
/// - Parameter order: of the strips; nil for that of the picture.
func encodeFromStrips(
    _ image: borrowing OutputImage, _ coding: JPEGCoding, order: [Int]? = nil, _ segments: JPEGSegments = .onlyProfile,
    in memory: JPEGMemory
) throws -> [UInt8] {
    memory.strips.begin(coding)
    for index in order ?? Array(0..<PictureStrip.count(image.size)) { memory.strips.write(image.strip(index)) }
    let header = try segments.header(profile: ICCProfiles()[image.colourSpace])
    return Array(try memory.join(header, isProgressive: coding.isProgressive, gainMap: nil))
}
