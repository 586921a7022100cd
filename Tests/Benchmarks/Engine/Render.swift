import Develop
import Looks
import PictureFormat
import Pixels

/// Writes a developed picture as PPM, directly from the planes.
enum Render {
    static func run(_ image: borrowing SensorImage, to path: String, look name: String, sharpening: Float) throws {
        let look =
            name.hasSuffix(".cube")
            ? try Look(file: readFile(name), fileName: name) : try LookCatalogue.builtIn.look(name)
        var context = DevelopContext()
        let settings = DevelopSettings(sharpening: sharpening, subsampling: .none)
        let picture = try context.develop(image, settings: settings, look: look.stage())
        let size = picture.full.size
        var bytes = Array("P6\n\(size.width) \(size.height)\n255\n".utf8)
        for y in 0..<size.height {
            let luma = picture.full.luma.row(y)
            let cb = picture.full.cb.row(y)
            let cr = picture.full.cr.row(y)
            for x in 0..<size.width {
                let l = Double(luma[x])
                let u = Double(cb[x]) - 128
                let v = Double(cr[x]) - 128
                for value in [l + 1.402 * v, l - 0.344136 * u - 0.714136 * v, l + 1.772 * u] {
                    bytes.append(UInt8(min(max(value.rounded(), 0), 255)))
                }
            }
        }
        try bytes.withUnsafeBytes { try writeFile(path, $0) }
        let facts = image.facts
        print("white \(facts.white), balance \(facts.whiteBalance ?? []), \(facts.matrices)")
        print("\(size.width) × \(size.height), facts \(picture.facts)")
    }
}
