internal import Concurrency
internal import DevelopKernels
internal import PictureFormat
public import Pixels

/// Develops pictures one at a time and keeps tables between them. A picture's bytes do not depend on earlier pictures.
public struct DevelopContext: ~Copyable {
    private let tables = DevelopTableCache()

    /// Creates a context without tables.
    public init() {}

    /// Makes a look's table for sRGB before the first picture needs it; takes a few milliseconds.
    public mutating func prepare(_ look: any RowStage) { RenderingPlan.prepare(look, output: .sRGB, tables: tables) }

    /// Makes all decisions about a picture.
    ///
    /// - Parameters:
    ///   - image: the sensor's samples and facts: Bayer or X-Trans of any phase, three linear colours, or monochrome.
    ///   - look: applied at its `position`; `IdentityStage()` for the neutral rendering.
    ///   - preview: the longer edge in pixels of a second, smaller picture, which is never enlarged; nil for none.
    /// - Throws: `DevelopError` if facts or settings are invalid.
    public mutating func plan(
        _ image: borrowing SensorImage, settings: DevelopSettings = DevelopSettings(),
        look: any RowStage = IdentityStage(), preview: Int? = nil
    ) throws(DevelopError) -> PlannedPicture {
        try SensorValidation.check(image)
        try SensorValidation.check(settings, preview: preview)
        let plan = DevelopPlan(image, settings: settings, look: look, preview: preview, tables: tables)
        return PlannedPicture(plan: plan, settings: settings)
    }

    /// Develops a picture, and passes on strips of the settings' depth as they are made.
    ///
    /// The bytes depend only on the image, the settings (but not on `threads`) and the look, on any processor. Both
    /// depths have the same colours. Only a picture whose rows become columns is ever whole in memory.
    ///
    /// - Parameters:
    ///   - image: the planned image.
    ///   - sink: receives every strip of the upright picture.
    public mutating func develop(
        _ image: borrowing SensorImage, _ planned: PlannedPicture, into sink: any StripSink
    ) -> DevelopedStrips {
        let (plan, settings) = (planned.plan, planned.settings)
        let preview = plan.preview?.makeImage(settings, settings.previewSubsampling)
        let map = planned.hasGainMap ? plan.preview?.makeGainMap(settings) : nil
        switch settings.depth {
        case .eight: write(image, planned, preview: preview, map: map, yCbCr: sink)
        case .sixteen: write(image, planned, preview: preview, map: map, rgb: sink)
        }
        return DevelopedStrips(size: planned.size, preview: preview, gainMap: map, facts: plan.facts)
    }

    /// Develops a whole picture with 8 bits.
    ///
    /// - Throws: `DevelopError` if facts or settings are invalid; no partial picture is developed.
    public mutating func develop(
        _ image: borrowing SensorImage, settings: DevelopSettings = DevelopSettings(),
        look: any RowStage = IdentityStage(), preview: Int? = nil
    ) throws(DevelopError) -> DevelopedPicture {
        var settings = settings
        settings.depth = .eight
        let planned = try plan(image, settings: settings, look: look, preview: preview)
        let full = planned.plan.full.makeImage(settings)
        let small = planned.plan.preview?.makeImage(settings, settings.previewSubsampling)
        write(image, planned, preview: small, map: nil, whole: full)
        return DevelopedPicture(full: full, preview: small, facts: planned.facts)
    }

    private func write(
        _ image: borrowing SensorImage, _ planned: PlannedPicture, preview: borrowing OutputImage?,
        map: borrowing Plane<UInt8>?, whole picture: borrowing OutputImage
    ) {
        let plan = planned.plan
        run(image, planned, preview: preview, map: map) { share in
            let sink = YCbCrSink(picture, transform: plan.full.transform, rendering: plan.rendering)
            return sink.map { plan.full.output(share, $0) }
        }
    }

    private func write(
        _ image: borrowing SensorImage, _ planned: PlannedPicture, preview: borrowing OutputImage?,
        map: borrowing Plane<UInt8>?, yCbCr sink: any StripSink
    ) {
        let (plan, settings) = (planned.plan, planned.settings)
        let transform = plan.full.transform
        if transform.swapsAxes {
            let full = plan.full.makeImage(settings)
            write(image, planned, preview: preview, map: map, whole: full)
            Self.handOn(full, to: sink, threads: settings.threads)
            return
        }
        run(image, planned, preview: preview, map: map) { share in
            let strip = plan.full.makeImage(settings, rows: PictureStrip.rows)
            let buffer = StripBuffer(strip, transform: transform, sink: sink)
            let sink = YCbCrSink(buffer, transform: transform, rendering: plan.rendering)
            return sink.map { plan.full.output(share, $0) }
        }
    }

    private func write(
        _ image: borrowing SensorImage, _ planned: PlannedPicture, preview: borrowing OutputImage?,
        map: borrowing Plane<UInt8>?, rgb sink: any StripSink
    ) {
        let (plan, threads) = (planned.plan, planned.settings.threads)
        let transform = plan.full.transform
        let turned = transform.swapsAxes ? TurnedPicture(transform.uprightSize, threads: threads) : nil
        run(image, planned, preview: preview, map: map) { share in
            let writer =
                turned.map { OrientedRGBWriter($0, transform: transform) }
                ?? OrientedRGBWriter(sink, transform: transform)
            return writer.map { plan.full.output(share, RGBSink($0, rendering: plan.rendering)) }
        }
        turned?.handOn(to: sink, threads: threads)
    }

    /// Makes the pictures, each band of rows in a separate thread. `map` is the preview's gain map; `makeOutput` makes
    /// a band's output for the full-size picture.
    private func run(
        _ image: borrowing SensorImage, _ planned: PlannedPicture, preview: borrowing OutputImage?,
        map: borrowing Plane<UInt8>?, makeOutput: @Sendable (BandShare) -> BandPipeline.Output?
    ) {
        let (plan, settings) = (planned.plan, planned.settings)
        let count = min(max(settings.threads, 1), 64, (image.facts.crop.size.height + 63) / 64)
        Parallel.forEach(count) { index in
            let share = BandShare(index: index, count: count)
            // Kernels refuse inconsistent sizes, which validation and the plan exclude.
            let samples = SensorSamples(image, area: plan.area, gains: plan.gains)
            guard let samples, let full = makeOutput(share) else {
                preconditionFailure("a validated picture fits its plan")
            }
            var small: BandPipeline.Output?
            switch preview {
            case .some(let image):
                if let preview = plan.preview {
                    guard
                        let sink = YCbCrSink(image, transform: preview.transform, rendering: plan.previewRendering)
                    else { preconditionFailure("a preview fits its plan") }
                    switch map {
                    case .some(let map):
                        let sink = plan.gain.flatMap {
                            GainMapSink(sink, map: map, transform: preview.transform, curve: $0)
                        }
                        guard let sink else { preconditionFailure("a gain map fits its preview") }
                        small = preview.output(share, sink)
                    case .none: small = preview.output(share, sink)
                    }
                }
            case .none: break
            }
            let pipeline = BandPipeline(
                samples, mosaic: plan.mosaic, levels: plan.levels, highlights: plan.highlights,
                matrix: plan.matrix, noise: plan.noise, detail: plan.detail, alignment: plan.alignment,
                warp: plan.warp, lead: plan.lead, film: plan.film, effect: plan.effect, full: full,
                preview: small)
            guard let pipeline else { preconditionFailure("a validated picture fits its plan") }
            pipeline.run()
        }
    }

    private static func handOn(_ picture: borrowing OutputImage, to sink: any StripSink, threads: Int) {
        let strips = (0..<PictureStrip.count(picture.size)).map { picture.strip($0) }
        let count = min(max(threads, 1), strips.count)
        Parallel.forEach(count) { share in
            for strip in strips[strips.count * share / count..<strips.count * (share + 1) / count] {
                sink.write(.yCbCr(strip))
            }
        }
    }
}
