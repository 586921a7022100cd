import CLibRaw
import PictureFormat
import Pixels

/// What LibRaw knows about a frame, as it states it.
struct LibRawFacts {
    /// Frames in the whole file, at least 1.
    let frameCount: Int
    /// All of the sensor, in pixels.
    let sensorSize: PixelSize
    /// The part of the sensor that LibRaw takes for the picture. It may reach beyond the sensor.
    let visible: PixelRect
    /// From one row of unpacked samples to the next.
    let rowBytes: Int
    /// How the picture must be turned.
    let orientation: Orientation
    /// A sensor whose rows and columns run diagonally (Fujifilm's Super CCD); nil for others. `visible` is then the size
    /// of the square that holds all of it, seen upright.
    let diagonal: Diagonal?
    /// A sensor with three layers of samples.
    let isFoveon: Bool
    /// Colours of the filter array.
    let colourCount: Int
    /// The filter array.
    let filters: LibRawFilters
    /// The largest value a sample can have.
    let maximum: UInt32
    /// Up to where each colour is linear; 0 where unknown.
    let linearMaximum: [Int64]
    /// Four multipliers, not normalised; 0 where unknown.
    let cameraMultipliers: [Float]
    /// Whether the camera applied them to the samples.
    let isWhiteBalanceApplied: Bool
    /// CIE XYZ to camera colour, nine numbers row by row, from LibRaw's table of cameras.
    let xyzToCamera: [Float]
    /// Balanced camera colour to linear sRGB, nine numbers row by row: where LibRaw knows no other matrix, that of the
    /// camera's own file or of a few old cameras, else the identity.
    let cameraToSRGB: [Float]
    /// Width of a pixel over its height.
    let statedAspect: Double
    /// ISO sensitivity.
    let iso: Float
    /// Exposure time.
    let shutterSeconds: Float
    /// F-number.
    let aperture: Float
    /// In millimetres.
    let focalLength: Float
    /// The lens's least and greatest focal length in millimetres, and its f-number at each, by maker notes; 0 for what they do not
    /// say.
    let lens: SIMD4<Float>
    /// Seconds since 1970, of the camera's clock.
    let timestamp: Int64
    /// Where the samples begin in the file.
    let dataOffset: Int
    /// Where the file says how samples are compressed; 0 where it does not.
    let metaOffset: Int
    /// Bits of a sample as it is stored.
    let bitsPerSample: Int
    /// How LibRaw's decoder of packed samples deviates from the usual; 0 where it does not.
    let loadFlags: UInt32
    /// Whether LibRaw reads numbers of several bytes from the lowest byte on.
    let isLittleEndian: Bool
    /// Panasonic's format of the samples; 0 for other makers'.
    let panasonicFormat: Int
    /// Of how many bits LibRaw's decoder of Panasonic's formats takes samples to be.
    let panasonicBits: Int
    /// How Canon's CRX stores the samples; nil for other formats.
    let crx: CRXFacts?
    /// Errors met while unpacking.
    let dataErrors: Int

    /// How a diagonal sensor lies in its square.
    struct Diagonal {
        /// Where the sensor's first corner is in the square, from above.
        let height: Int
        /// The sensor's own columns.
        let columns: Int
    }

    init(_ facts: CLibRawFacts) {
        frameCount = max(1, Int(facts.frameCount))
        sensorSize = PixelSize(width: Int(facts.rawWidth), height: Int(facts.rawHeight))
        visible = PixelRect(
            x: Int(facts.leftMargin), y: Int(facts.topMargin),
            size: PixelSize(width: Int(facts.width), height: Int(facts.height)))
        rowBytes = Int(facts.rawPitchBytes)
        orientation = Orientation(libRawFlip: facts.flip)
        diagonal =
            facts.fujiWidth == 0 ? nil : Diagonal(height: Int(facts.fujiWidth), columns: Int(facts.fujiColumns))
        isFoveon = facts.isFoveon != 0
        colourCount = Int(facts.colours)
        filters = unsafe LibRawFilters(
            code: facts.filters, colourNames: withUnsafeBytes(of: facts.colourNames) { unsafe Array($0.prefix(4)) },
            xTrans: unsafe withUnsafeBytes(of: facts.xTrans) { unsafe Array($0) })
        maximum = facts.maximum
        let linear = facts.linearMaximum
        linearMaximum = [linear.0, linear.1, linear.2, linear.3]
        let multipliers = facts.cameraMultipliers
        cameraMultipliers = [multipliers.0, multipliers.1, multipliers.2, multipliers.3]
        isWhiteBalanceApplied = facts.whiteBalanceApplied != 0
        let matrix = facts.xyzToCamera
        xyzToCamera = [
            matrix.0, matrix.1, matrix.2, matrix.3, matrix.4, matrix.5, matrix.6, matrix.7, matrix.8,
        ]
        let own = facts.cameraToSRGB
        cameraToSRGB = [own.0, own.1, own.2, own.3, own.4, own.5, own.6, own.7, own.8]
        statedAspect = facts.pixelAspect
        iso = facts.iso
        shutterSeconds = facts.shutterSeconds
        aperture = facts.aperture
        focalLength = facts.focalLength
        lens = SIMD4(facts.lens.0, facts.lens.1, facts.lens.2, facts.lens.3)
        timestamp = facts.timestamp
        dataOffset = Int(facts.dataOffset)
        metaOffset = Int(facts.metaOffset)
        bitsPerSample = Int(facts.bitsPerSample)
        loadFlags = facts.loadFlags
        isLittleEndian = facts.byteOrder == 0x4949
        panasonicFormat = Int(facts.panasonicFormat)
        panasonicBits = Int(facts.panasonicBits)
        crx = CRXFacts(facts)
        dataErrors = Int(facts.dataErrors)
    }
}

extension Orientation {
    /// LibRaw's flip: bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps the axes.
    fileprivate init(libRawFlip flip: Int32) {
        self =
            switch flip & 7 {
            case 1: .mirroredHorizontally
            case 2: .mirroredVertically
            case 3: .rotated180
            case 4: .transposed
            case 5: .rotated90CounterClockwise
            case 6: .rotated90Clockwise
            case 7: .transversed
            default: .upright
            }
    }
}
