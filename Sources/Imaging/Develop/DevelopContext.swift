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
    public mutating func prepare(_ look: any RowStage) { tables.prepare(look, output: .sRGB) }

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
        run(image, plan, settings, preview: small) {
            PictureSink(full, transform: plan.full.transform, rendering: plan.rendering)
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
        let transform = plan.full.transform
        if transform.swapsAxes {
            let full = plan.full.makeImage(settings)
            run(image, plan, settings, preview: small) {
                PictureSink(full, transform: transform, rendering: plan.rendering)
            }
            Self.handOn(full, to: sink, threads: settings.threads)
        } else {
            run(image, plan, settings, preview: small) {
                let strip = plan.full.makeImage(settings, rows: PictureStrip.rows)
                let buffer = StripBuffer(strip, transform: transform, sink: sink)
                return PictureSink(buffer, transform: transform, rendering: plan.rendering)
            }
        }
        return DevelopedStrips(size: transform.uprightSize, preview: small, facts: plan.facts)
    }

    private func plan(
        _ image: borrowing SensorImage, _ settings: DevelopSettings, _ look: any RowStage, _ preview: Int?
    ) throws(DevelopError) -> DevelopPlan {
        try SensorValidation.check(image)
        try SensorValidation.check(settings, preview: preview)
        return DevelopPlan(image, settings: settings, look: look, preview: preview, tables: tables)
    }

    /// Makes the pictures, each band of rows in a thread of its own.
    ///
    /// - Parameter makeSink: makes a band's sink for the picture in full size.
    private func run(
        _ image: borrowing SensorImage, _ plan: DevelopPlan, _ settings: DevelopSettings,
        preview: borrowing OutputImage?, makeSink: @Sendable () -> PictureSink?
    ) {
        let count = min(max(settings.threads, 1), 64, (image.facts.crop.size.height + 63) / 64)
        Parallel.forEach(count) { index in
            // Kernels refuse what does not fit together. Validation and the plan see to it that all does.
            guard let samples = SensorSamples(image), let sink = makeSink() else {
                preconditionFailure("a validated picture fits its plan")
            }
            var small: BandPipeline.Output?
            switch preview {
            case .some(let image):
                if let preview = plan.preview {
                    guard
                        let sink = PictureSink(image, transform: preview.transform, rendering: plan.rendering)
                    else { preconditionFailure("a preview fits its plan") }
                    small = .init(
                        preview.geometry, rows: preview.rows(band: index, of: count), sharpening: preview.sharpening,
                        sink: sink)
                }
            case .none: break
            }
            let pipeline = BandPipeline(
                samples, mosaic: plan.mosaic, levels: plan.levels, matrix: plan.matrix, noise: plan.noise,
                detail: plan.detail, lead: plan.lead,
                full: .init(
                    plan.full.geometry, rows: plan.full.rows(band: index, of: count),
                    sharpening: plan.full.sharpening, sink: sink),
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
