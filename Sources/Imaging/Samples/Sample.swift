public import PictureFormat
internal import Pixels

/// The numbered samples: each has a different scene, hour, exposure and time of capture.
public enum Sample {
    /// 24 megapixels, like most cameras.
    public static let defaultSize = PixelSize(width: 6000, height: 4000)

    /// A size with sides of three to two, even numbers, and about this many megapixels.
    public static func size(megapixels: Double) -> PixelSize {
        let height = (max(megapixels, 0.001) * 1_000_000 / 1.5).squareRoot()
        return PixelSize(width: max(32, Int(height * 1.5) / 2 * 2), height: max(32, Int(height) / 2 * 2))
    }

    /// The file name of a numbered sample.
    public static func name(_ index: Int) -> String {
        let digits = String(index)
        return "sample-" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + ".dng"
    }

    /// The whole DNG of a numbered sample. The same arguments give the same bytes on every machine.
    ///
    /// - Parameters:
    ///   - index: the sample's number.
    ///   - size: width and height in pixels.
    ///   - orientation: of the camera.
    ///   - preview: the embedded preview.
    ///   - isBigEndian: the byte order of the file.
    ///   - hasMargins: whether the plane is larger than the picture, as in most cameras: unlit columns and rows, and a
    ///     border around the picture.
    public static func dng(
        index: Int, size: PixelSize = defaultSize, orientation: Orientation = .upright, preview: SamplePreview = .none,
        isBigEndian: Bool = false, hasMargins: Bool = false
    ) -> [UInt8] {
        let camera = SampleCamera()
        let scene = SampleScene(seed: UInt64(bitPattern: Int64(index)))
        let picture =
            hasMargins
            ? pictureWithMargins(of: scene, by: camera, size: size) : picture(of: scene, by: camera, size: size)
        var writer = DNGWriter(camera: camera)
        writer.shot = shot(index)
        writer.orientation = orientation
        writer.littleEndian = !isBigEndian
        writer.preview = preview.picture(of: scene)
        return writer.file(picture)
    }

    /// A DNG of two frames, like a burst: the numbered sample's scene, and another one.
    ///
    /// - Parameters:
    ///   - index: the sample's number.
    ///   - size: width and height of each frame in pixels.
    ///   - isCut: whether the file is truncated within the second frame.
    public static func burst(index: Int, size: PixelSize = defaultSize, isCut: Bool = false) -> [UInt8] {
        let camera = SampleCamera()
        let scenes = [index, ~index].map { SampleScene(seed: UInt64(bitPattern: Int64($0))) }
        var writer = DNGWriter(camera: camera)
        writer.shot = shot(index)
        let file = writer.file(
            picture(of: scenes[0], by: camera, size: size), picture(of: scenes[1], by: camera, size: size))
        return isCut ? Array(file.dropLast(2000)) : file
    }

    private static func picture(of scene: SampleScene, by camera: SampleCamera, size: PixelSize) -> DNGPicture {
        let layout = SensorLayout.bayer([.red, .green, .green, .blue])
        var picture = DNGPicture(plane: camera.expose(scene, size: size, layout: layout), layout: layout)
        picture.black = .init(rows: 2, columns: 2, values: camera.black.map { Rational(Int64($0), 1) })
        picture.white = camera.white
        return picture
    }

    /// A picture with unlit columns on the left and rows at the top, and a border for demosaicing.
    private static func pictureWithMargins(
        of scene: SampleScene, by camera: SampleCamera, size: PixelSize
    ) -> DNGPicture {
        let (left, top, border) = (24, 16, 8)
        let lit = PixelSize(width: size.width + 2 * border, height: size.height + 2 * border)
        var picture = picture(
            of: scene, by: camera, size: PixelSize(width: lit.width + left, height: lit.height + top))
        for y in 0..<picture.plane.height {
            let row = unsafe picture.plane.row(y)
            for x in 0..<(y < top ? picture.plane.width : left) { unsafe row[x] = camera.black[y % 2 * 2 + x % 2] }
        }
        picture.activeArea = PixelRect(x: left, y: top, size: lit)
        picture.defaultCrop = PixelRect(x: border, y: border, size: size)
        return picture
    }

    private static func shot(_ index: Int) -> ShotFacts {
        var random = SplitMix64(seed: mixed(UInt64(bitPattern: Int64(index))))
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let minute = ((index % 600) + 600) % 600
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        var shot = ShotFacts()
        shot.captured = "2024:05:01 \(two(8 + minute / 60)):\(two(minute % 60)):\(two(minute % 7 * 8))"
        shot.subSeconds = two(minute % 100)
        shot.exposureTime = Rational(1, pick([60, 125, 250, 500]))
        shot.fNumber = pick([Rational(28, 10), Rational(4, 1), Rational(56, 10), Rational(8, 1)])
        shot.focalLength = Rational(pick([24, 35, 50, 85]), 1)
        shot.lens = "Rawmill \(shot.focalLength.numerator)mm F2"
        shot.location = .init(
            latitude: 46.5 + Double(minute) / 1000, longitude: 8.2 - Double(minute) / 900, altitude: 1830)
        return shot
    }
}
