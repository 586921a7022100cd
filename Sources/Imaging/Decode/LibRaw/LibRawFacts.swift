import CLibRaw
import PictureFormat
import Pixels

/// Unchecked.
struct LibRawFacts {
    /// In the whole file, at least 1.
    let frameCount: Int
    /// The whole sensor, in pixels.
    let sensorSize: PixelSize
    /// The visible area according to LibRaw; may exceed the sensor.
    let visible: PixelRect
    let rowBytes: Int
    let orientation: Orientation
    /// Geometry of a diagonal sensor (Fujifilm's Super CCD), else nil. `visible` is then the upright square around it.
    let diagonal: Diagonal?
    let isFoveon: Bool
    let colourCount: Int
    let filters: LibRawFilters
    /// Largest possible sample.
    let maximum: UInt32
    /// Per colour; 0 if unknown.
    let linearMaximum: [Int64]
    /// Four multipliers, not normalised; 0 if unknown.
    let cameraMultipliers: [Float]
    let isWhiteBalanceApplied: Bool
    /// CIE XYZ to camera colour, nine numbers row by row, from LibRaw's camera table.
    let xyzToCamera: [Float]
    /// Balanced camera colour to linear sRGB, nine numbers row by row, for cameras without another matrix: from the
    /// file, or for a few old cameras. Otherwise the identity.
    let cameraToSRGB: [Float]
    /// Width of a pixel divided by its height.
    let statedAspect: Double
    let iso: Float
    /// In seconds.
    let shutterSeconds: Float
    let aperture: Float
    /// In millimetres.
    let focalLength: Float
    /// From maker notes: minimum and maximum focal length in millimetres, and the f-number at each; 0 if unknown.
    let lens: SIMD4<Float>
    /// Camera clock, in seconds since 1970.
    let timestamp: Int64
    /// Offset of the samples in the file.
    let dataOffset: Int
    /// Offset of the compression's description; 0 if absent.
    let metaOffset: Int
    /// Stored bits per sample.
    let bitsPerSample: Int
    /// Flags of LibRaw's decoder for packed samples; 0 for the usual packing.
    let loadFlags: UInt32
    let isLittleEndian: Bool
    /// Panasonic's sample format; 0 for other makers.
    let panasonicFormat: Int
    let panasonicBits: Int
    /// Canon's CRX coding; nil for other formats.
    let crx: CRXFacts?
    let dataErrors: Int

    /// Position of a diagonal sensor in its square.
    struct Diagonal {
        /// Distance from the square's top to the sensor's first corner.
        let height: Int
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
    /// LibRaw's flip: bit 0 mirrors columns, bit 1 mirrors rows, bit 2 swaps the axes.
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
