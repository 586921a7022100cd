import Lenses
import PictureFormat
import Pixels

/// Lens tables of a library, and corrections of their first camera and lens.
struct LensTables: ForeignReader {
    let name = "lenses"

    func read(_ bytes: [UInt8]) throws {
        let table = try LensTable(bytes: bytes)
        guard let camera = table.cameras.first, let lens = table.lenses.first else { return }
        let shot = LensShot(
            make: camera.makers.first ?? "", model: camera.models.first ?? "", lens: lens.names.first ?? "",
            focalLength: 1 + lens.focalLengths[0], aperture: 4, distance: 3)
        guard case .found(let profile) = table.find(shot) else { return }
        let crop = PixelRect(x: 2, y: 1, size: PixelSize(width: 170, height: 120))
        let corrections = profile.corrections(crop)
        _ = corrections.source(.init(repeating: 7), .init(repeating: 5), channel: 0)
        for gain in corrections.gains { _ = gain.factor(x: 7, y: 5, channel: 1) }
    }
}
