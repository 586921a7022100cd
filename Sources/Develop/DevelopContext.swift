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
    ///   - image: the sensor's samples and facts. Bayer of any phase, three linear colours, or monochrome.
    ///   - look: applied where its `place` says; `IdentityStage()` for the neutral rendering alone.
    ///   - preview: the longer edge of a second, smaller picture in pixels; nil for none. Never enlarges.
    /// - Throws: `DevelopError` where facts or settings make no sense. Nothing is developed half-way.
    public mutating func develop(
        _ image: borrowing SensorImage, settings: DevelopSettings = DevelopSettings(),
        look: any RowStage = IdentityStage(), preview: Int? = nil
    ) throws(DevelopError) -> Developed {
        try SensorDoor.check(image)
        try SensorDoor.check(settings, preview: preview)
        let plan = DevelopPlan(facts: image.facts, settings: settings, look: look, preview: preview, tables: tables)
        let full = plan.full.makeImage(settings)
        let small = plan.preview?.makeImage(settings)
        let count = min(max(settings.threads, 1), 64, (image.facts.crop.size.height + 63) / 64)
        var bands: [Band] = []
        for index in 0..<count {
            var sinks = [Self.sink(plan.full, full, band: index, of: count, rendering: plan.rendering)]
            switch small {
            case .some(let image):
                if let preview = plan.preview {
                    sinks.append(Self.sink(preview, image, band: index, of: count, rendering: plan.rendering))
                }
            case .none: break
            }
            bands.append(
                Band(
                    source: Self.source(image, plan), width: image.facts.crop.size.width, matrix: plan.matrix,
                    sinks: sinks))
        }
        Threads.forEach(count) { bands[$0].run() }
        let facts = DevelopFacts(coloursAreGuessed: !plan.colour.isKnown, whiteBalance: plan.colour.multipliers)
        return Developed(full: full, preview: small, facts: facts)
    }

    private static func source(_ image: borrowing SensorImage, _ plan: DevelopPlan) -> any RowSource {
        if case .bayer(let pattern) = image.facts.layout, let phase = BayerPhase(pattern) {
            return BayerSource(MosaicRows(image, phase: phase, levels: plan.levels))
        }
        return PlainSource(image, levels: plan.levels)
    }

    private static func sink(
        _ plan: PicturePlan, _ image: borrowing OutputImage, band: Int, of count: Int, rendering: Rendering
    ) -> (inputs: Range<Int>, sink: any RowSink) {
        let outputs = plan.outputs(band: band, of: count)
        let picture = PictureSink(image, turn: plan.turn, rendering: rendering)
        if !plan.resamples { return (outputs, picture) }
        let resampler = ResampleSink(
            horizontal: plan.horizontal, vertical: plan.vertical, outputs: outputs, target: picture)
        return (plan.vertical.inputs(of: outputs), resampler)
    }
}
