import PictureFormat
import Pixels

/// An effect that uses a pixel's neighbours; developing applies it to the whole picture.
struct NeighbourEffect: LookEffect {
    private let effect: Neighbourhood

    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB
    let isOfColourAlone = false
    var neighbourhood: (Neighbourhood, share: Float)? { (effect, 1) }

    init(_ effect: Neighbourhood) { self.effect = effect }

    /// Does nothing, because a single row has no neighbours above and below.
    func process(_ row: PixelRow) {}
}
