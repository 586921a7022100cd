import Encode
import PictureFormat
import Pixels

@testable import Metadata

/// A small grey JPEG with the given metadata.
func photo(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, width: Int = 48, height: Int = 32, space: ColourSpace = .sRGB,
    isTagged: Bool = true
) throws -> [UInt8] {
    func grey(_ width: Int, _ height: Int) -> Plane<UInt8> {
        let plane = Plane<UInt8>(width: width, height: height)
        plane.samples.update(repeating: 128)
        return plane
    }
    let image = OutputImage(
        luma: grey(width, height), cb: grey((width + 1) / 2, (height + 1) / 2),
        cr: grey((width + 1) / 2, (height + 1) / 2), subsampling: .quarter, colourSpace: space)
    var encoder = try JPEGEncoder(profiles: ICCProfiles())
    try encoder.encode(image, quality: 90, segments: JPEGSegments(exif: exif, xmp: xmp, isTagged: isTagged))
    return encoder.copyBytes()
}

/// What a careful camera writes, and some of what a rendition must not carry.
func cameraTags() -> [ExifTag] {
    [
        .long(.image, 0x0100, 6000), .long(.image, 0x0101, 4000), .short(.image, 0x0102, 14),
        .short(.image, 0x0103, 7), .short(.image, 0x0106, 32803), .long(.image, 0x0111, 1234),
        .text(.image, 0x010F, "Example  "), .text(.image, 0x0110, "Example One"), .short(.image, 0x0112, 6),
        .rational(.image, 0x011A, 300, 1), .text(.image, 0x0131, "Firmware 1.2"),
        .text(.image, 0x0132, "2024:05:01 10:00:00"), .text(.image, 0x013B, "Ada Photographer"),
        .text(.image, 0x8298, "© Ada\0Editor"), .bytes(.image, 0xC612, [1, 4, 0, 0]),
        .rational(.photo, 0x829A, 1, 250), .rational(.photo, 0x829D, 28, 5), .short(.photo, 0x8822, 3),
        .short(.photo, 0x8827, 400, 0), .short(.photo, 0x8830, 2), .long(.photo, 0x8832, 400),
        .text(.photo, 0x9003, "2024:05:01 10:00:00"), .text(.photo, 0x9004, "2024:05:01 10:00:00"),
        .text(.photo, 0x9010, "+02:00"), .text(.photo, 0x9011, "+02:00"), .text(.photo, 0x9291, "437"),
        ExifTag(directory: .photo, number: 0x9204, type: .signedRational, value: [0xFE, 0xFF, 0xFF, 0xFF, 3, 0, 0, 0]),
        .short(.photo, 0x9207, 5), .short(.photo, 0x9209, 16), .rational(.photo, 0x920A, 35, 1),
        .bytes(.photo, 0x927C, [UInt8](repeating: 9, count: 5000)), .short(.photo, 0xA403, 0),
        .short(.photo, 0xA405, 52), .short(.photo, 0xA406, 0), .bytes(.photo, 0xA300, [3]),
        .bytes(.photo, 0xA301, [1]), .text(.photo, 0xA420, "0123456789abcdef0123456789abcdef"),
        .text(.photo, 0xA431, "SN-77"), .text(.photo, 0xA434, "35mm f/2"),
        ExifTag(
            directory: .photo, number: 0xA432, type: .rational,
            value: [35, 1, 35, 1, 2, 1, 2, 1].flatMap { ExifTag.littleEndian(UInt32($0)) }),
    ] + gpsTags()
}

func gpsTags() -> [ExifTag] {
    func place(_ number: UInt16, _ values: [UInt32]) -> ExifTag {
        ExifTag(
            directory: .gps, number: number, type: .rational,
            value: values.flatMap { ExifTag.littleEndian($0) + ExifTag.littleEndian(UInt32(1)) })
    }
    return [
        .bytes(.gps, 0, [2, 2, 0, 0]), .text(.gps, 1, "N"), place(2, [50, 7, 30]), .text(.gps, 3, "E"),
        place(4, [8, 40, 12]), ExifTag(directory: .gps, number: 5, type: .byte, value: [0]),
        .rational(.gps, 6, 617, 5), place(7, [8, 0, 0]), .text(.gps, 0x12, "WGS-84"),
        .text(.gps, 0x1D, "2024:05:01"), .bytes(.gps, 0x1B, Array("ASCII\0\0\0GPS".utf8)),
        .rational(.gps, 0x1F, 5, 1),
    ]
}

func source(_ tags: [ExifTag] = cameraTags(), captured: String? = nil, xmp: [UInt8]? = nil) -> SourceMetadata {
    SourceMetadata(make: "Example", model: "Example One", exif: tags, xmp: xmp, captured: captured)
}

func rendition(
    _ metadata: SourceMetadata = source(), width: Int = 48, height: Int = 32, isSRGB: Bool = true,
    thumbnail: [UInt8]? = nil
) -> RenditionExif {
    RenditionExif(
        source: metadata, width: width, height: height, isSRGB: isSRGB, software: "Rawmill 1", thumbnail: thumbnail)
}

func identity() -> RenditionIdentity {
    RenditionIdentity(
        key: String(repeating: "ab", count: 32), asset: String(repeating: "0f", count: 32), frame: 0,
        recipeID: String(repeating: "1e", count: 32),
        adjustment: AdjustmentData(data: "look=velvet@2\nexposure=0.5\n"), lookName: "velvet", lookVersion: 2,
        lookDigest: String(repeating: "77", count: 32), engine: "1",
        original: FileIdentity(
            root: "archive", path: Array("2024/05/IMG_0001.NEF".utf8), sizeBytes: 26_123_456,
            modifiedNanoseconds: 1_714_557_600_123_456_789),
        photoBase: Array("IMG_0001".utf8), captured: "2024:05:01 10:00:00", make: "Example", model: "Example One",
        width: 6000, height: 4000)
}

/// A generator whose runs can be repeated (SplitMix64; Steele, Lea, Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
