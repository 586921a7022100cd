import PictureFormat
import Pixels

/// The first part of a look that no single table can hold: its film, and colours before the first step that uses more
/// than a pixel's colour.
struct LookStart: RowStage {
    private let rendering: (any FilmStage)?
    private let colours: any RowStage

    /// Without a film, the tone curve. The colours have a `colourKey`.
    init(_ film: (any FilmStage)?, _ colours: any RowStage = IdentityStage()) {
        rendering = film
        self.colours = colours
    }

    let position = StagePosition.display
    var displaySpace: ColourSpace? { colours.displaySpace }
    var film: (any FilmStage)? { rendering }
    var colourKey: String? { colours.colourKey.map { "\(rendering?.key ?? "neutral") \($0)" } }

    func process(_ row: PixelRow) { colours.process(row) }
}
