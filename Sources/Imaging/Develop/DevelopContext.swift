internal import Concurrency
internal import DevelopKernels
internal import PictureFormat
public import Pixels

/// Develops pictures, and keeps tables warm between them.
///
/// A context serves one picture at a time, and any number of them in turn. The bytes of a picture do not depend on what
/// was developed before it.
public struct DevelopContext: ~Copyable {
    private let tables = DevelopTableCache()

    /// A context without tables.
    public init() {}

    /// Makes a look's table for sRGB, which takes a few milliseconds, before the first picture needs it.
    public mutating func prepare(_ look: any RowStage) { RenderingPlan.prepare(look, output: .sRGB, tables: tables) }

    /// Develops one picture.
    ///
    /// The bytes depend on the image, the settings (but not on `threads`) and the look alone, on any processor.
    ///
    /// - Parameters:
    ///   - image: the sensor's samples and facts: Bayer or X-Trans of any phase, three linear colours, or monochrome.
    ///   - look: applied where its `position` says; `IdentityStage()` for the neutral rendering alone.
    ///   - preview: the longer edge of a second, smaller picture in pixels; nil for none. A picture is never enlarged.
    /// - Throws: `DevelopError` if facts or settings make no sense. No picture is developed half-way.
    public mutating func develop(
        _ image: borrowing SensorImage, settings: DevelopSettings = DevelopSettings(),
        look: any RowStage = IdentityStage(), preview: Int? = nil
    ) throws(DevelopError) -> DevelopedPicture {
        let plan = try plan(image, settings, look, preview)
        let full = plan.full.makeImage(settings)
        let small = plan.preview?.makeImage(settings, settings.previewSubsampling)
        run(image, plan, settings, preview: small, map: nil) { share in
            let sink = PictureSink(full, transform: plan.full.transform, rendering: plan.rendering)
            return sink.map { plan.full.output(share, $0) }
        }
        return DevelopedPicture(full: full, preview: small, facts: plan.facts)
    }

    /// Develops one picture as above, and hands it on in strips while it is made.
    ///
    /// Only a picture whose rows become columns is whole in memory at any time.
    ///
    /// - Parameter sink: receives every strip of the upright picture.
    /// - Throws: `DevelopError` as above, before the first strip.
    public mutating func develop(
        _ image: borrowing SensorImage, settings: DevelopSettings = DevelopSettings(),
        look: any RowStage = IdentityStage(), preview: Int? = nil, into sink: any StripSink
    ) throws(DevelopError) -> DevelopedStrips {
        let plan = try plan(image, settings, look, preview)
        let small = plan.preview?.makeImage(settings, settings.previewSubsampling)
        let map = plan.gain == nil ? nil : plan.preview?.makeGainMap(settings)
        let transform = plan.full.transform
        if transform.swapsAxes {
            let full = plan.full.makeImage(settings)
            run(image, plan, settings, preview: small, map: map) { share in
                let sink = PictureSink(full, transform: transform, rendering: plan.rendering)
                return sink.map { plan.full.output(share, $0) }
            }
            Self.handOn(full, to: sink, threads: settings.threads)
        } else {
            run(image, plan, settings, preview: small, map: map) { share in
                let strip = plan.full.makeImage(settings, rows: PictureStrip.rows)
                let buffer = StripBuffer(strip, transform: transform, sink: sink)
                let sink = PictureSink(buffer, transform: transform, rendering: plan.rendering)
                return sink.map { plan.full.output(share, $0) }
            }
        }
        return DevelopedStrips(size: transform.uprightSize, preview: small, gainMap: map, facts: plan.facts)
    }

    private func plan(
        _ image: borrowing SensorImage, _ settings: DevelopSettings, _ look: any RowStage, _ preview: Int?,
        has16Bits: Bool = false
    ) throws(DevelopError) -> DevelopPlan {
        try SensorValidation.check(image)
        try SensorValidation.check(settings, preview: preview)
        return DevelopPlan(
            image, settings: settings, look: look, preview: preview, has16Bits: has16Bits, tables: tables)
    }

    /// Makes the pictures, each band of rows in a thread of its own.
    ///
    /// - Parameters:
    ///   - map: the preview's gain map; nil for none.
    ///   - makeOutput: makes a band's output for the picture in full size.
    private func run(
        _ image: borrowing SensorImage, _ plan: DevelopPlan, _ settings: DevelopSettings,
        preview: borrowing OutputImage?, map: borrowing Plane<UInt8>?,
        makeOutput: @Sendable (BandShare) -> BandPipeline.Output?
    ) {
        let count = min(max(settings.threads, 1), 64, (image.facts.crop.size.height + 63) / 64)
        Parallel.forEach(count) { index in
            let share = BandShare(index: index, count: count)
            // Kernels refuse what does not fit together. Validation and the plan see to it that all does.
            let samples = SensorSamples(image, area: plan.area, gains: plan.gains)
            guard let samples, let full = makeOutput(share) else {
                preconditionFailure("a validated picture fits its plan")
            }
            var small: BandPipeline.Output?
            switch preview {
            case .some(let image):
                if let preview = plan.preview {
                    guard
                        let sink = PictureSink(image, transform: preview.transform, rendering: plan.previewRendering)
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
            for strip in strips[strips.count * share / count..<strips.count * (share + 1) / count] { sink.write(strip) }
        }
    }
}

// MARK: - 16 bits a channel

extension DevelopContext {
    /// Decides everything about a picture with 16 bits a channel before its first row.
    ///
    /// The parameters and errors are those of `develop`.
    public mutating func plan16(
        _ image: borrowing SensorImage, settings: DevelopSettings = DevelopSettings(),
        look: any RowStage = IdentityStage(), preview: Int? = nil
    ) throws(DevelopError) -> PlannedPicture {
        PlannedPicture(plan: try plan(image, settings, look, preview, has16Bits: true), settings: settings)
    }

    /// Develops a picture with 16 bits a channel, and hands it on in strips while it is made.
    ///
    /// From the scene's light on nothing has fewer bits, and nothing is dithered. The colours are those of the picture with
    /// 8 bits. Only a picture whose rows become columns is whole in memory at any time.
    ///
    /// - Parameters:
    ///   - image: the one that was planned.
    ///   - sink: receives every strip of the upright picture.
    public mutating func develop(
        _ image: borrowing SensorImage, _ planned: PlannedPicture, into sink: any RGB16StripSink
    ) -> DevelopedStrips {
        let (plan, settings) = (planned.plan, planned.settings)
        guard let rendering = plan.rendering16 else { preconditionFailure("it was planned for 16 bits") }
        let small = plan.preview?.makeImage(settings, settings.previewSubsampling)
        let transform = plan.full.transform
        let turned = transform.swapsAxes ? TurnedRGB16Picture(transform.uprightSize, threads: settings.threads) : nil
        run(image, plan, settings, preview: small, map: nil) { share in
            let writer =
                turned.map { OrientedRGB16Writer($0, transform: transform) }
                ?? OrientedRGB16Writer(sink, transform: transform)
            return writer.map { plan.full.output(share, RGB16Sink($0, rendering: rendering)) }
        }
        turned?.handOn(to: sink, threads: settings.threads)
        return DevelopedStrips(size: transform.uprightSize, preview: small, facts: plan.facts)
    }
}
