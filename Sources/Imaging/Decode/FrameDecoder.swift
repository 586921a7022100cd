import DecodeKernels
import TIFF
import PictureFormat
import Pixels

struct DecodeOptions {
    enum Unpacker {
        /// Our unpackers, and LibRaw for codings they do not support.
        case own
        /// LibRaw only, for comparison.
        case libRaw
    }

    var xTrans = XTransDelivery.interpolated
    var unpacker = Unpacker.own
    var threads = 1
    /// Nil for the file's own colours.
    var profile: CameraProfileFile?
}

struct FrameDecoder {
    private let frame: Frame
    private let facts: FrameFacts
    private let options: DecodeOptions

    init(_ frame: Frame, _ options: DecodeOptions) {
        self.frame = frame
        self.options = options
        facts = FrameFacts(frame: frame, profile: options.profile)
    }

    private enum Method {
        case plain(SensorLayout)
        /// LibRaw's interpolation to camera colours; to linear sRGB for sensors with four colours.
        case interpolated(toSRGB: Bool)

        /// Peak memory, LibRaw's included.
        var bytesPerPixel: Int {
            switch self {
            case .plain(.linearRGB): 8 + 6
            case .plain: 2 + 2
            // The raw samples, LibRaw's picture, its working copy and our plane.
            case .interpolated: 2 + 8 + 8 + 6
            }
        }
    }

    private var method: Method {
        let facts = frame.raw.facts
        guard facts.diagonal == nil, !facts.isFoveon else { return .interpolated(toSRGB: false) }
        guard facts.colourCount <= 3 else { return .interpolated(toSRGB: true) }
        guard let layout = frame.dng?.layout(in: frame.sensorSize) ?? facts.layout else {
            return .interpolated(toSRGB: false)
        }
        if case .xTrans(let pattern) = layout,
            options.xTrans == .interpolated || XTransPattern.origin(of: pattern) == nil
        {
            return .interpolated(toSRGB: false)
        }
        return .plain(layout)
    }

    func decode(limits: DecodeLimits) throws(DecodeError) -> SensorImage {
        try frame.checkComplete()
        let method = method
        try limits.check(
            sensor: frame.sensorSize, bytesPerPixel: method.bytesPerPixel + (frame.dng?.bytesBesidePlane ?? 0))
        if case .interpolated = method {
            guard let size = frame.raw.facts.interpolatedSize else { throw .contradiction }
            try limits.check(sensor: size, bytesPerPixel: method.bytesPerPixel)
        }
        if case .plain(let layout) = method, options.unpacker == .own, let image = try ownImage(layout) {
            return image
        }
        try frame.unpack(limits: limits)
        try checkDigest()
        switch method {
        case .plain(let layout):
            let plane = try libRawPlane(layout)
            let opcodes = try opcodes()
            let run = opcodes?.correctStored(plane, layout)
            return try image(plane, layout, canHaveZeroRuns: true, opcodes, run)
        case .interpolated(let toSRGB): return try interpolatedImage(toSRGB: toSRGB)
        }
    }

    /// Nil if LibRaw converts the samples, because it then applies the opcodes itself.
    private func opcodes() throws(DecodeError) -> DNGOpcodes? {
        guard let dng = frame.dng, dng.hasPlainSamples || dng.numberForm != nil else { return nil }
        return try DNGOpcodes(dng)
    }

    /// - Parameters:
    ///   - canHaveZeroRuns: false if missing data cannot appear as zero samples.
    ///   - run: opcodes applied to the stored samples.
    ///   - levels: levels of samples converted from floating point or 32 bits.
    private func image(
        _ plane: consuming Plane<UInt16>, _ layout: SensorLayout, canHaveZeroRuns: Bool, _ opcodes: DNGOpcodes?,
        _ run: OpcodeRun?, _ levels: NumberLevels? = nil
    ) throws(DecodeError) -> SensorImage {
        let size = PixelSize(width: plane.width / layout.samplesPerPixel, height: plane.height)
        guard var facts = facts.sensorFacts(layout, size: size, levels) else { throw .contradiction }
        guard !canHaveZeroRuns || !facts.hasZeroRuns(in: plane) else { throw .zeroRuns }
        if let opcodes, let run, let dng = frame.dng {
            opcodes.correct(plane, &facts, bounds: dng.activeArea(in: size), after: run)
        }
        if frame.dng == nil {
            facts.lowerWhite(toClippingIn: plane)
            let lit = frame.raw.facts.visibleRect(in: size) ?? facts.crop
            facts.corrections.warps = SonyLens(frame.tiff)?.warps(facts.crop, lit: lit) ?? []
            facts.corrections.area = facts.corrections.warps.isEmpty ? nil : lit
        }
        facts.estimateMissingWhiteBalance(from: plane)
        return SensorImage(plane: plane, facts: facts)
    }
}

// MARK: - Plain samples

extension FrameDecoder {
    /// Decodes with our unpackers; nil if LibRaw has to decode the samples.
    private func ownImage(_ layout: SensorLayout) throws(DecodeError) -> SensorImage? {
        if let dng = frame.dng, let numbers = try StoredNumbers(dng, layout) {
            return try image(of: numbers, dng, layout)
        }
        guard let stored = try StoredSamples(frame, layout),
            let unpacked = try unsafe SampleUnpacker(stored: stored, bytes: frame.bytes).unpack(
                threads: options.threads)
        else { return nil }
        let plane = try inOrder(unpacked, layout)
        let opcodes = try opcodes()
        var run: OpcodeRun?
        if let dng = frame.dng {
            guard dng.matchesDigest(plane, threads: options.threads) else { throw .otherSamples }
            run = opcodes?.correctStored(plane, layout)
            if dng.directLinearization == nil, let table = dng.linearization {
                _ = SampleRegion.map(plane, by: table)
            }
        } else {
            let status = frame.raw.adopt(plane)
            guard status == .success else { throw status.unpackFailure }
        }
        return try image(plane, layout, canHaveZeroRuns: stored.coding.keepsZeros, opcodes, run)
    }

    /// Restores the order of a DNG's interleaved rows and columns.
    private func inOrder<Sample>(
        _ stored: consuming Plane<Sample>, _ layout: SensorLayout
    ) throws(DecodeError) -> Plane<Sample> {
        let samples = layout.samplesPerPixel
        let size = PixelSize(width: stored.width / samples, height: stored.height)
        guard let fields = frame.dng?.fields(in: size) else { return stored }
        guard let plane = fields.picture(of: stored, samplesPerPixel: samples) else { throw .contradiction }
        return plane
    }

    private func image(
        of numbers: StoredNumbers, _ dng: DNGFacts, _ layout: SensorLayout
    ) throws(DecodeError) -> SensorImage {
        let opcodes = try opcodes()
        let size = PixelSize(width: numbers.size.width / layout.samplesPerPixel, height: numbers.size.height)
        func levels(largest: Float) -> NumberLevels? {
            NumberLevels(
                dng, size: size, largest: largest, baselineExposure: facts.baselineExposure,
                keepsWhite: opcodes?.mapsLight == true)
        }
        func image(_ samples: consuming Plane<UInt16>, _ levels: NumberLevels) throws(DecodeError) -> SensorImage {
            let run = opcodes?.correctStored(samples, layout)
            return try self.image(samples, layout, canHaveZeroRuns: true, opcodes, run, levels)
        }
        // Light above white is rare, so first scale without a plane of numbers. Dithering depends on a sample's
        // position, so this needs the final order.
        if dng.fields(in: size) == nil, let levels = levels(largest: 0),
            let samples = try unsafe numbers.samples(
                frame.bytes, by: levels.scale, upTo: levels.limit, threads: options.threads)
        {
            return try image(samples, levels)
        }
        let plane = try inOrder(unsafe numbers.unpack(frame.bytes, threads: options.threads), layout)
        guard let levels = levels(largest: NumberScale.largest(in: plane, threads: options.threads)) else {
            throw .contradiction
        }
        return try image(levels.scale.samples(of: plane, threads: options.threads), levels)
    }

    private func checkDigest() throws(DecodeError) {
        guard let dng = frame.dng, dng.hasPlainSamples, dng.hasDigest else { return }
        let matches = frame.raw.withSamples { samples in
            guard samples.samplesPerPixel == 1, let single = samples.interleaved(channels: 1) else { return true }
            return dng.matchesDigest(single.plane())
        }
        guard matches != false else { throw .otherSamples }
    }

    private func libRawPlane(_ layout: SensorLayout) throws(DecodeError) -> Plane<UInt16> {
        let plane = frame.raw.withSamples { samples -> Plane<UInt16>? in
            switch (samples.samplesPerPixel, layout) {
            case (1, .bayer), (1, .xTrans), (1, .monochrome), (4, .monochrome):
                samples.interleaved(channels: 1)?.plane()
            case (3, .linearRGB), (4, .linearRGB):
                samples.interleaved(channels: 3)?.plane()
            default: nil
            }
        }
        guard let plane else {
            throw .unsupported("The samples have an unsupported form.")
        }
        return plane
    }
}

// MARK: - Interpolated by LibRaw

extension FrameDecoder {
    /// Develops unsupported sensors through LibRaw's interpolation to three linear colours.
    ///
    /// LibRaw interpolates balanced colours best, so it receives the multipliers. Only samples that clipped in the
    /// sensor clip; `white` is the new level of each colour.
    private func interpolatedImage(toSRGB: Bool) throws(DecodeError) -> SensorImage {
        let balance = facts.whiteBalance
        let multipliers = interpolationMultipliers(balance, toSRGB: toSRGB)
        try frame.raw.check(frame.raw.interpolate(multipliers: multipliers, toSRGB: toSRGB))
        let plane = frame.raw.withInterpolated { $0.interleaved(channels: 3)?.plane() }
        guard let plane else { throw .unsupported("This kind of sensor is not supported.") }
        let largest = multipliers.max() ?? 1
        let white = toSRGB ? [65535, 65535, 65535] : multipliers.prefix(3).map { 65535 * $0 / largest }
        let size = PixelSize(width: plane.width / 3, height: plane.height)
        var interpolated = SensorFacts(
            layout: .linearRGB, crop: facts.narrowed(PixelRect(x: 0, y: 0, size: size)), black: .zero, white: white,
            whiteBalance: toSRGB ? [1, 1, 1] : balance, matrices: toSRGB ? [.linearSRGB] : facts.matrices,
            orientation: facts.orientation, pixelAspect: 1, baselineExposure: facts.baselineExposure,
            isoSpeed: frame.raw.facts.sensitivity)
        interpolated.lookTable = toSRGB ? nil : facts.lookTable
        interpolated.estimateMissingWhiteBalance(from: plane)
        return SensorImage(plane: plane, facts: interpolated)
    }

    /// The camera's own multipliers for four colours; for three, green is repeated.
    private func interpolationMultipliers(_ balance: [Float]?, toSRGB: Bool) -> [Float] {
        let camera = frame.raw.facts.cameraMultipliers
        if toSRGB, camera.allSatisfy({ $0.isFinite && $0 > 0.001 }) { return camera }
        guard !toSRGB, let balance else { return [1, 1, 1, 1] }
        return [balance[0], balance[1], balance[2], balance[1]]
    }
}

extension LibRawSamples {
    /// Nil if the samples exceed the buffer.
    fileprivate func interleaved(channels: Int) -> InterleavedSamples? {
        unsafe InterleavedSamples(
            samples, size: size, samplesPerPixel: samplesPerPixel, strideSamples: strideSamples, channels: channels)
    }
}
