import TIFF
import PictureFormat
import Pixels

/// Facts about a picture, from a DNG's fields or else from LibRaw.
struct FrameFacts {
    let frame: Frame
    /// Nil for the file's own colours.
    var profile: CameraProfileFile?

    /// Facts of plain samples in a plane of `size` pixels; nil if the file contradicts itself. `levels` are those of
    /// scaled DNG numbers.
    func sensorFacts(_ layout: SensorLayout, size: PixelSize, _ levels: NumberLevels? = nil) -> SensorFacts? {
        // LibRaw scales lossy samples.
        guard let dng = frame.dng, dng.hasPlainSamples || levels != nil else { return libRawFacts(layout, size) }
        guard let black = levels?.black ?? dng.black(in: size) else { return nil }
        var facts = SensorFacts(
            layout: layout, crop: dng.crop(in: size), black: black, white: levels?.white ?? dng.white,
            whiteBalance: dng.whiteBalance, matrices: matrices, orientation: dng.orientation,
            pixelAspect: dng.pixelAspect, baselineExposure: baselineExposure + (levels?.exposure ?? 0),
            isoSpeed: frame.raw.facts.sensitivity)
        facts.lookTable = lookTable
        facts.noise = dng.noise
        return facts
    }

    private func libRawFacts(_ layout: SensorLayout, _ size: PixelSize) -> SensorFacts? {
        let facts = frame.raw.facts
        guard let black = frame.raw.black.levels(layout, facts), let crop = facts.visibleRect(in: size) else {
            return nil
        }
        var found = SensorFacts(
            layout: layout, crop: narrowed(crop), black: black,
            // The white level of LibRaw's decoder for lossy samples.
            white: frame.dng?.hasLibRawCurves == true ? [65_535, 65_535, 65_535] : facts.white,
            whiteBalance: whiteBalance,
            matrices: matrices, orientation: orientation, pixelAspect: facts.pixelAspect,
            baselineExposure: baselineExposure, isoSpeed: facts.sensitivity)
        found.lookTable = lookTable
        return found
    }

    /// From the profile, else from the file, else from LibRaw's table.
    var matrices: [CameraMatrix] {
        if let own = profile?.matrices(frame.dng), !own.isEmpty { return own }
        if let own = frame.dng?.matrices, !own.isEmpty { return own }
        return frame.raw.facts.matrix.map { [$0] } ?? []
    }

    /// From the profile, else from the file.
    var lookTable: HueSatMap? { profile.map(\.lookTable) ?? frame.dng?.profile.lookTable }

    var whiteBalance: [Float]? { frame.dng?.whiteBalance ?? frame.raw.facts.whiteBalance }
    var orientation: Orientation { frame.dng?.orientation ?? frame.raw.facts.orientation }
    var baselineExposure: Float {
        guard let profile else { return frame.dng.map { $0.baselineExposure + $0.baselineExposureOffset } ?? 0 }
        return (frame.dng?.baselineExposure ?? 0) + profile.baselineExposureOffset
    }

    /// Narrows LibRaw's visible area, often a few columns wider, to the size that the camera states, so that our
    /// pictures match the camera's. A difference above 3 % belongs to another picture.
    func narrowed(_ visible: PixelRect) -> PixelRect {
        for stated in statedSizes {
            let width = visible.size.width
            let height = visible.size.height
            let fits = stated.width <= width && stated.height <= height
            guard fits, stated.width * 100 >= width * 97, stated.height * 100 >= height * 97 else { continue }
            // Moves by whole pattern periods.
            let x = (width - stated.width) / 4 * 2
            let y = (height - stated.height) / 4 * 2
            return PixelRect(x: visible.x + x, y: visible.y + y, size: stated)
        }
        return visible
    }

    /// Most reliable first.
    private var statedSizes: [PixelSize] {
        guard frame.dng == nil else { return [] }
        var sizes: [PixelSize] = []
        if let size = exifSize { sizes.append(size) }
        if let size = unsafe CIFFFile(frame.bytes)?.pictureSize { sizes.append(size) }
        if let directory = frame.rawDirectory, let width = directory.integer(.imageWidth),
            let height = directory.integer(.imageLength)
        {
            sizes.append(PixelSize(width: width, height: height))
        }
        return sizes.filter { $0.width > 0 && $0.height > 0 }
    }

    /// Size of the camera's JPEG.
    private var exifSize: PixelSize? {
        func value(_ tag: TIFFTag) -> Int? {
            guard let field = frame.fields.first(where: { $0.directory == .photo && $0.tag == tag }) else { return nil }
            return unsafe field.value.withUnsafeBytes { bytes in
                let reader = unsafe ByteReader(bytes, .littleEndian)
                return switch field.type {
                case .short: reader.count16(0)
                case .long: reader.offset32(0)
                default: nil
                }
            }
        }
        guard let width = value(.pixelXDimension), let height = value(.pixelYDimension) else { return nil }
        return PixelSize(width: width, height: height)
    }
}
