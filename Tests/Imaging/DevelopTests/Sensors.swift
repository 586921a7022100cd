import PictureFormat
import Pixels

enum Sensors {
    /// SplitMix64, reproducible from its seed.
    struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    static let phases: [[CFAColour]] = [
        [.red, .green, .green, .blue], [.green, .red, .blue, .green], [.green, .blue, .red, .green],
        [.blue, .green, .green, .red],
    ]

    static let xTrans = SensorLayout.xTrans(
        "GBGGRGRGRBGBGBGGRGGRGGBGBGBRGRGRGGBG".map { $0 == "R" ? .red : $0 == "G" ? .green : .blue })

    static let d65Matrix = CameraMatrix(
        illuminant: 21,
        xyzToCamera: Matrix3([0.9020, -0.2890, -0.0715, -0.4535, 1.2436, 0.2348, -0.0934, 0.1919, 0.7086]))

    static func facts(
        _ layout: SensorLayout, _ size: PixelSize, orientation: Orientation = .upright, black: Float = 64,
        white: Float = 4000
    ) -> SensorFacts {
        SensorFacts(
            layout: layout, crop: PixelRect(x: 0, y: 0, size: size),
            black: BlackLevels(repeatSize: PixelSize(width: 1, height: 1), values: [black])
                ?? BlackLevels(repeatSize: PixelSize(width: 1, height: 1), values: [0]).unsafelyUnwrapped,
            white: [white, white, white], whiteBalance: [2, 1, 1.5], matrices: [d65Matrix], orientation: orientation)
    }

    /// - Parameter value: sensor counts by column and row of the plane.
    static func image(_ facts: SensorFacts, margin: Int = 0, value: (Int, Int) -> Int) -> SensorImage {
        let perPixel = facts.layout.samplesPerPixel
        let width = facts.crop.x + facts.crop.size.width + margin
        let height = facts.crop.y + facts.crop.size.height + margin
        let plane = Plane<UInt16>(width: width * perPixel, height: height)
        for y in 0..<height {
            let row = plane.row(y)
            for x in 0..<(width * perPixel) { row[x] = UInt16(clamping: value(x, y)) }
        }
        return SensorImage(plane: plane, facts: facts)
    }
}

struct Bytes: Equatable {
    let size: PixelSize
    let chromaSize: PixelSize
    let luma: [UInt8]
    let cb: [UInt8]
    let cr: [UInt8]

    init(_ image: borrowing OutputImage) {
        size = image.luma.size
        chromaSize = image.cb.size
        luma = Self.copy(image.luma)
        cb = Self.copy(image.cb)
        cr = Self.copy(image.cr)
    }

    init(size: PixelSize, chromaSize: PixelSize, luma: [UInt8], cb: [UInt8], cr: [UInt8]) {
        self.size = size
        self.chromaSize = chromaSize
        self.luma = luma
        self.cb = cb
        self.cr = cr
    }

    private static func copy(_ plane: borrowing Plane<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for y in 0..<plane.height { bytes += UnsafeBufferPointer(start: plane.row(y), count: plane.width) }
        return bytes
    }
}
