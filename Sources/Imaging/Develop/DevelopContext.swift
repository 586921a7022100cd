internal import Concurrency
internal import PictureFormat
public import Pixels

/// What stays warm between photos: tables. One context serves one picture at a time, and any number in turn; the
/// bytes of a picture do not depend on what was developed before it.
public struct DevelopContext: ~Copyable {
    private let tables = DevelopTables()

    public init() {}

    /// Makes the look's table ready, which the first picture that has it would take a few milliseconds for.
    public mutating func prepare(_ look: any RowStage) {
        if look.position == .display, let share = look.lut { tables.prepare(share) }
    }

    /// Develops one picture.
    ///
    /// The bytes depend on the image, the settings (but not `threads`) and the look alone, on any processor.
    ///
    /// - Parameters:
    ///   - image: the sensor's samples and facts. Bayer or X-Trans of any phase, three linear colours, or
    ///     monochrome.
    ///   - look: applied where its `place` says; `IdentityStage()` for the neutral rendering alone.
    ///   - preview: the longer edge of a second, smaller picture in pixels; nil for none. Never enlarges.
    /// - Throws: `DevelopError` where facts or settings make no sense. Nothing is developed half-way.
    public mutating func develop(
        _ image: borrowing SensorImage, settings: DevelopSettings = DevelopSettings(),
        look: any RowStage = IdentityStage(), preview: Int? = nil
    ) throws(DevelopError) -> Developed {
        let plan = try plan(image, settings, look, preview)
        let full = plan.full.makeImage(settings)
        let small = plan.preview?.makeImage(settings)
        run(image, plan, settings, preview: small) {
            PictureSink(full, turn: plan.full.turn, rendering: plan.rendering)
        }
        return Developed(full: full, preview: small, facts: plan.facts)
    }

    /// Develops one picture as above, and hands it on in strips while it is made. Whole it stands in memory only where
    /// it has to be turned by a quarter.
    ///
    /// - Parameter sink: gets every strip of the upright picture.
    public mutating func develop(
        _ image: borrowing SensorImage, settings: DevelopSettings = DevelopSettings(),
        look: any RowStage = IdentityStage(), preview: Int? = nil, into sink: any StripSink
    ) throws(DevelopError) -> DevelopedInStrips {
        let plan = try plan(image, settings, look, preview)
        let small = plan.preview?.makeImage(settings)
        if plan.full.turn.swapsAxes {
            let full = plan.full.makeImage(settings)
            run(image, plan, settings, preview: small) {
                PictureSink(full, turn: plan.full.turn, rendering: plan.rendering)
            }
            Self.handOn(full, to: sink, threads: settings.threads)
        } else {
            run(image, plan, settings, preview: small) {
                PictureSink(PictureStrips(plan.full, settings, sink: sink), rendering: plan.rendering)
            }
        }
        return DevelopedInStrips(size: plan.full.turn.uprightSize, preview: small, facts: plan.facts)
    }

    private func plan(
        _ image: borrowing SensorImage, _ settings: DevelopSettings, _ look: any RowStage, _ preview: Int?
    ) throws(DevelopError) -> DevelopPlan {
        try SensorValidation.check(image)
        try SensorValidation.check(settings, preview: preview)
        return DevelopPlan(image, settings: settings, look: look, preview: preview, tables: tables)
    }

    /// Makes the picture, each band in a thread of its own.
    ///
    /// - Parameter picture: makes a band's sink for the picture in full size.
    private func run(
        _ image: borrowing SensorImage, _ plan: DevelopPlan, _ settings: DevelopSettings,
        preview: borrowing OutputImage?, picture: @Sendable () -> PictureSink
    ) {
        let size = image.facts.crop.size
        let count = min(max(settings.threads, 1), 64, (size.height + 63) / 64)
        Parallel.forEach(count) { index in
            var small: Band.Output?
            switch preview {
            case .some(let image):
                if let preview = plan.preview {
                    let sink = PictureSink(image, turn: preview.turn, rendering: plan.rendering)
                    small = Self.output(preview, sink, band: index, of: count, next: nil)
                }
            case .none: break
            }
            let output = Self.output(plan.full, picture(), band: index, of: count, next: small)
            let source = Self.source(image, plan)
            Band(source: source, matrix: plan.matrix, size: size, lead: plan.lead, output: output).run()
        }
    }

    private static func handOn(_ picture: borrowing OutputImage, to sink: any StripSink, threads: Int) {
        let strips = (0..<PictureStrip.count(picture.size)).map { picture.strip($0) }
        let count = min(max(threads, 1), strips.count)
        Parallel.forEach(count) { share in
            for strip in strips[strips.count * share / count..<strips.count * (share + 1) / count] { sink.write(strip) }
        }
    }

    private static func source(_ image: borrowing SensorImage, _ plan: DevelopPlan) -> any TileSource {
        let source = interpolated(image, plan)
        guard let limits = plan.chromaLimits else { return source }
        return ChromaSource(source, limits: limits, size: image.facts.crop.size, lead: plan.lead)
    }

    private static func interpolated(_ image: borrowing SensorImage, _ plan: DevelopPlan) -> any TileSource {
        if case .bayer(let pattern) = image.facts.layout, let phase = BayerPhase(pattern) {
            return BayerDemosaic(MosaicRows(image, phase: phase, levels: plan.levels))
        }
        if case .xTrans(let pattern) = image.facts.layout, let phase = XTransPhase(pattern) {
            let rows = XTransRows(image, phase: phase, levels: plan.levels)
            return XTransDemosaic(rows, highlights: Highlights(clip: plan.levels.clip))
        }
        return PlainSource(image, levels: plan.levels)
    }

    private static func output(
        _ plan: PicturePlan, _ picture: PictureSink, band: Int, of count: Int, next: Band.Output?
    ) -> Band.Output {
        let rows = plan.outputs(band: band, of: count)
        if !plan.resamples { return Band.Output(inputs: rows, sink: picture, next: next) }
        let resampler = ResampleSink(plan, outputs: rows, target: picture)
        return Band.Output(inputs: plan.vertical.inputs(of: rows), sink: resampler, next: next)
    }
}
