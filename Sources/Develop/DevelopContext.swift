public import Pixels

/// What stays warm between photos: tables. One context serves one picture at a time, and any number in turn; the
/// bytes of a picture do not depend on what was developed before it.
public struct DevelopContext: ~Copyable {
    private let tables = DevelopTables()

    public init() {}

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
        try SensorDoor.check(image)
        try SensorDoor.check(settings, preview: preview)
        let plan = DevelopPlan(image, settings: settings, look: look, preview: preview, tables: tables)
        let full = plan.full.makeImage(settings)
        let small = plan.preview?.makeImage(settings)
        let count = min(max(settings.threads, 1), 64, (image.facts.crop.size.height + 63) / 64)
        var bands: [Band] = []
        for index in 0..<count {
            var outputs = [Self.output(plan.full, full, band: index, of: count, rendering: plan.rendering)]
            switch small {
            case .some(let image):
                if let preview = plan.preview {
                    outputs.append(Self.output(preview, image, band: index, of: count, rendering: plan.rendering))
                }
            case .none: break
            }
            bands.append(
                Band(
                    source: Self.source(image, plan), matrix: plan.matrix, size: image.facts.crop.size, lead: plan.lead,
                    outputs: outputs))
        }
        Threads.forEach(count) { bands[$0].run() }
        let facts = DevelopFacts(
            coloursAreGuessed: !plan.colour.isKnown, whiteBalance: plan.colour.multipliers, agreement: plan.agreement)
        return Developed(full: full, preview: small, facts: facts)
    }

    private static func source(_ image: borrowing SensorImage, _ plan: DevelopPlan) -> any TileSource {
        let source = interpolated(image, plan)
        guard let limits = plan.chromaLimits else { return source }
        return ChromaSource(source, limits: limits, size: image.facts.crop.size, lead: plan.lead)
    }

    private static func interpolated(_ image: borrowing SensorImage, _ plan: DevelopPlan) -> any TileSource {
        if case .bayer(let pattern) = image.facts.layout, let phase = BayerPhase(pattern) {
            return BayerSource(MosaicRows(image, phase: phase, levels: plan.levels))
        }
        if case .xTrans(let pattern) = image.facts.layout, let phase = XTransPhase(pattern) {
            let rows = XTransRows(image, phase: phase, levels: plan.levels)
            return XTransSource(rows, highlights: Highlights(clip: plan.levels.clip))
        }
        return PlainSource(image, levels: plan.levels)
    }

    private static func output(
        _ plan: PicturePlan, _ image: borrowing OutputImage, band: Int, of count: Int, rendering: Rendering
    ) -> Band.Output {
        let rows = plan.outputs(band: band, of: count)
        let picture = PictureSink(image, turn: plan.turn, rendering: rendering)
        if !plan.resamples { return Band.Output(inputs: rows, sink: picture) }
        let resampler = ResampleSink(plan, outputs: rows, target: picture)
        return Band.Output(inputs: plan.vertical.inputs(of: rows), sink: resampler)
    }
}
