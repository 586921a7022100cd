package import PictureFormat
package import Pixels

/// A Panasonic RW2 with samples in one of its formats.
package struct RW2File: CustomStringConvertible, Sendable {
    /// Panasonic's number: 4 to 7.
    package let format: Int
    package let bits: Int
    package var size: PixelSize
    package var model = "DC-GH5S"
    /// The sensor's borders as stated in the file: left, bottom and right.
    package var borders: [Int]?

    package init(_ format: Int, bits: Int) {
        self.format = format
        self.bits = bits
        size = PixelSize(width: 0, height: 480)
        size = PixelSize(width: samplesPerGroup * 46, height: 480)
    }

    package var description: String { "format \(format), \(bits) bits" }

    /// Samples per 16 bytes.
    package var samplesPerGroup: Int {
        switch format {
        case 4: 14
        case 6: bits == 12 ? 14 : 11
        default: bits == 12 ? 10 : 9
        }
    }

    private static let blockBytes = 0x4000
    /// Size of the end of a block, which comes first in the file.
    private static let split = 0x2008

    /// The whole file.
    ///
    /// - Parameter groups: 16 bytes each, in the order of the samples.
    package func file(_ groups: [UInt8]) -> [UInt8] {
        let samples = format < 6 ? Self.inBlocks(groups) : groups
        let header: [UInt8] = [0x49, 0x49, 0x55, 0, 8, 0, 0, 0]
        let place = header.count + CameraField.laidOut(fields(0, samples.count), at: 8).count
        return header + CameraField.laidOut(fields(place, samples.count), at: 8) + samples
    }

    private func fields(_ place: Int, _ byteCount: Int) -> [CameraField] {
        let edges = (borders ?? []).enumerated().map { CameraField.shorts(5 + $0.offset, [$0.element]) }
        return [.undefined(1, Array("0310".utf8)), .shorts(2, [size.width]), .shorts(3, [size.height])] + edges + [
            .shorts(9, [1]), .shorts(10, [bits]),
            .shorts(14, [1 << bits - 1]), .shorts(15, [1 << bits - 1]), .shorts(16, [1 << bits - 1]),
            .shorts(0x17, [100]), .shorts(0x1c, [bits == 12 ? 128 : 512]),
            .shorts(0x1d, [bits == 12 ? 128 : 512]), .shorts(0x1e, [bits == 12 ? 128 : 512]), .shorts(0x24, [512]),
            .shorts(0x25, [256]), .shorts(0x26, [384]), .shorts(0x2d, [format]), .text(271, "Panasonic"),
            .text(272, model), .longs(273, [0xffff_ffff]), .shorts(274, [1]), .longs(278, [size.height]),
            .longs(279, [byteCount]), .longs(280, [place]),
        ]
    }

    private static func inBlocks(_ groups: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: groups.count, by: blockBytes) {
            var block = Array(groups[start..<min(start + blockBytes, groups.count)])
            block += [UInt8](repeating: 0, count: blockBytes - block.count)
            bytes += block[split...] + block[..<split]
        }
        return bytes
    }

    /// The samples in groups. Formats 4 and 6 change them.
    package func groups(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelCount * 2)
        for y in 0..<size.height {
            for x in stride(from: 0, to: size.width, by: samplesPerGroup) {
                let samples = (0..<samplesPerGroup).map { Int(plane.row(y)[x + $0]) }
                switch format {
                case 4: bytes += Self.differences(samples)
                case 6: bytes += scaled(samples)
                default: bytes += CameraGroup.bytes(samples.map { ($0, bits) })
                }
            }
        }
        return bytes
    }

    /// Fourteen samples, each at least 16.
    private static func differences(_ samples: [Int]) -> [UInt8] {
        var last = samples[..<2].map { max($0, 16) }
        var numbers: [(Int, Int)] = last.map { ($0, 12) }
        for third in stride(from: 2, to: 14, by: 3) {
            let wanted = samples[third..<third + 3]
            for (index, shift) in [0, 1, 2, 4].enumerated() {
                var (tried, coded) = (last, [(index, 2)])
                var fits = true
                for (offset, sample) in wanted.enumerated() {
                    let row = (third + offset) & 1
                    var base = tried[row] - 0x80 << shift
                    if base < 0 || shift == 4 { base &= 1 << shift - 1 }
                    let above = (sample - base) >> shift
                    fits = fits && (1...255).contains(above)
                    let number = min(max(above, 1), 255)
                    tried[row] = base + number << shift
                    coded.append((number, 8))
                }
                guard fits || shift == 4 else { continue }
                last = tried
                numbers += coded
                break
            }
        }
        return CameraGroup.bytesFromTop(numbers)
    }

    /// Samples plus 15; the first two are not 0.
    private func scaled(_ samples: [Int]) -> [UInt8] {
        let numberBits = bits == 12 ? 8 : 10
        let (base, beyond) = bits == 12 ? (0x80, 0x800) : (0x200, 0x2000)
        let most = 1 << numberBits - 1
        var last = samples[..<2].map { min($0 + 15, 1 << bits - 1) }
        var numbers: [(Int, Int)] = last.map { ($0, bits) }
        for third in stride(from: 2, to: samples.count, by: 3) {
            let wanted = samples[third..<third + 3]
            for (index, shift) in [0, 1, 2, 4].enumerated() {
                var (tried, coded) = (last, [(index, 2)])
                var fits = true
                for (offset, sample) in wanted.enumerated() {
                    let row = (third + offset) & 1
                    let from = base << shift < beyond ? max(tried[row] - base << shift, 0) : 0
                    let number = (sample + 15 - from) >> shift
                    fits = fits && (0...most).contains(number)
                    coded.append((min(max(number, 0), most), numberBits))
                    tried[row] = from + min(max(number, 0), most) << shift
                }
                guard fits || shift == 4 else { continue }
                last = tried
                numbers += coded
                break
            }
        }
        return CameraGroup.bytesFromTop(numbers)
    }
}
