import PictureFormat
import Pixels

/// A film without an effect on its finished colours: what a look begins with whose effect cannot be part of a table.
struct FilmAlone: RowStage {
    private let rendering: any FilmStage

    init(_ film: any FilmStage) { rendering = film }

    let position = StagePosition.display
    var film: (any FilmStage)? { rendering }
    var colourKey: String? { rendering.key }

    func process(_ row: PixelRow) {}
}
