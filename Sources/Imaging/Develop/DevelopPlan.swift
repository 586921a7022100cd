import ColourScience
import PictureFormat
import Pixels

/// One picture to make: its size in the sensor's order and how it is turned.
struct PicturePlan {
    let turn: Turn
    let horizontal: ResampleAxis
    let vertical: ResampleAxis
    /// False where the rows need no resampling.
    let resamples: Bool

    /// - Parameter lead: of the tiles, where the picture is resampled.
    init(crop: PixelSize, target: PixelSize, orientation: Orientation, lead: (x: Int, y: Int)) {
        turn = Turn(orientation, sensorSize: target)
        resamples = crop != target
        let from = resamples ? crop : PixelSize(width: 1, height: 1)
        let to = resamples ? target : from
        // Squares are averaged, so both directions average alike.
        let shift = min(
            ResampleAxis.boxShift(input: from.width, output: to.width),
            ResampleAxis.boxShift(input: from.height, output: to.height))
        horizontal = ResampleAxis(input: from.width, output: to.width, boxShift: shift, lead: lead.x)
        vertical = ResampleAxis(input: from.height, output: to.height, boxShift: shift, lead: lead.y)
    }

    /// Memory for the upright picture, or for so many of its rows at a time.
    func makeImage(_ settings: DevelopSettings, rows: Int = .max) -> OutputImage {
        let whole = turn.uprightSize
        let size = PixelSize(width: whole.width, height: min(rows, whole.height))
        let divisor = settings.subsampling == .quarter ? 2 : 1
        let width = (size.width + divisor - 1) / divisor
        let height = (size.height + divisor - 1) / divisor
        let threads = settings.threads
        return OutputImage(
            luma: Plane(width: size.width, height: size.height, threads: threads),
            cb: Plane(width: width, height: height, threads: threads),
            cr: Plane(width: width, height: height, threads: threads), subsampling: settings.subsampling,
            colourSpace: settings.colourSpace)
    }

    /// The rows of the picture that band `index` of `count` makes. Squares of pixels stay together, and strips of the
    /// upright picture where axes do not swap; where they do, what is written as whole lines of the cache (of which
    /// chroma's are as long as two of luma's).
    func outputs(band index: Int, of count: Int) -> Range<Int> {
        let height = turn.sensorSize.height
        let step = turn.swapsAxes ? 128 : PictureStrip.rows
        // Where the picture is turned upside down, they are counted from the last row.
        let phase = turn.flipsY ? (step - height % step) % step : 0
        func boundary(_ i: Int) -> Int {
            if i == 0 { return 0 }
            if i == count { return height }
            return min((height * i / count + phase) / step * step - phase, height)
        }
        let lower = max(boundary(index), 0)
        return lower..<max(boundary(index + 1), lower)
    }
}

/// Everything about one development that is decided before the first row.
struct DevelopPlan {
    let colour: CameraColour
    let levels: SampleLevels
    let matrix: ColourMatrix
    let rendering: Rendering
    let full: PicturePlan
    let preview: PicturePlan?
    /// 1 where the tiles begin one column or row before the picture.
    let lead: (x: Int, y: Int)
    let agreement: Agreement?
    /// Nil where colour noise is left alone.
    let chromaLimits: ChromaLimits?

    var facts: DevelopFacts {
        DevelopFacts(coloursAreGuessed: !colour.isKnown, whiteBalance: colour.multipliers, agreement: agreement)
    }

    init(
        _ image: borrowing SensorImage, settings: DevelopSettings, look: any RowStage, preview: Int?,
        tables: DevelopTables
    ) {
        let facts = image.facts
        colour = CameraColour(facts: facts, whiteBalance: settings.whiteBalance)
        let black = facts.black.values.reduce(0, +) / Float(facts.black.values.count)
        let saturation = Saturation.shares(image, black: black)
        levels = SampleLevels(facts: facts, multipliers: colour.multipliers, saturation: saturation)
        let noise = settings.reducesNoise ? NoiseLevel(image) : nil
        chromaLimits = noise.map { [colour] in ChromaLimits($0, multipliers: colour.multipliers) }
        let asShot = CameraColour(facts: facts, whiteBalance: .asShot)
        let exposure = Exposure(
            facts: facts, settings: settings, colour: colour, asShot: asShot, saturation: saturation, tables: tables
        ) {
            SensorSurvey(
                image, levels: SampleLevels(facts: facts, multipliers: $0.multipliers, saturation: saturation),
                threads: settings.threads)
        }
        agreement = exposure.agreement
        rendering = Rendering(
            look: look, output: settings.colourSpace, white: exposure.white, tables: tables, threads: settings.threads)
        let toSpace = rendering.sceneSpace.fromXYZ * colour.toXYZ
        matrix = ColourMatrix(toSpace * exposure.gain)
        let crop = facts.crop.size
        let size = PictureSize.full(crop: crop, pixelAspect: facts.pixelAspect, longEdge: settings.longEdge)
        let unscaled = Turn(facts.orientation, sensorSize: crop)
        let lead = size == crop ? (x: unscaled.pairPhaseX, y: unscaled.pairPhaseY) : (x: 0, y: 0)
        self.lead = lead
        full = PicturePlan(crop: crop, target: size, orientation: facts.orientation, lead: lead)
        self.preview = preview.map { edge in
            let smaller = min(edge, settings.longEdge ?? edge)
            let target = PictureSize.full(crop: crop, pixelAspect: facts.pixelAspect, longEdge: smaller)
            return PicturePlan(crop: crop, target: target, orientation: facts.orientation, lead: lead)
        }
    }
}
