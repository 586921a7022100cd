import PictureFormat
import Samples

/// Small samples of every kind.
enum SampleKinds {
    static let all: [(name: String, bytes: @Sendable () -> [UInt8])] = [
        ("plain", { Sample.dng(index: 1, size: size) }),
        ("big-endian", { Sample.dng(index: 2, size: size, isBigEndian: true) }),
        ("margins", { Sample.dng(index: 3, size: size, hasMargins: true) }),
        ("turned", { Sample.dng(index: 4, size: size, orientation: .rotated90Clockwise) }),
        ("preview", { Sample.dng(index: 5, size: size, preview: .good) }),
        ("cut-preview", { Sample.dng(index: 6, size: size, preview: .cutOff) }),
        ("damaged-preview", { Sample.dng(index: 7, size: size, preview: .damagedHeader) }),
        ("burst", { Sample.burst(index: 8, size: size) }),
        ("cut-burst", { Sample.burst(index: 9, size: size, isCut: true) }),
    ]

    private static let size = PixelSize(width: 300, height: 200)
}
