package import PictureFormat
import Pixels
import Samples

/// A form in which cameras and converters store samples. All forms have the same scene.
package struct CameraForm: CustomStringConvertible, Sendable {
    /// Form and extension, as a file name.
    package let name: String
    /// The file of a scene of about this size, adjusted to the form.
    package let bytes: @Sendable (PixelSize) -> [UInt8]

    package var description: String { name }

    private init(_ name: String, _ bytes: @escaping @Sendable (PixelSize) -> [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    package static let all: [CameraForm] = [
        CameraForm("one-table.dng") { dng($0, .shared) },
        CameraForm("adobe.dng") { dng($0, .perComponent) },
        CameraForm("three-colours.dng") { dng($0, .perComponent, layout: .linearRGB) },
        CameraForm("plain-14.dng") { dng($0, compression: .none(bits: 14)) },
        CameraForm("plain-16.dng") { dng($0, compression: .none(bits: 16)) },
        CameraForm("plain-three-colours.dng") { dng($0, compression: .none(bits: 16), layout: .linearRGB) },
        CameraForm("two-components.cr2") { cr2($0, components: 2) },
        CameraForm("four-components.cr2") { cr2($0, components: 4) },
        CameraForm("lossless.cr3") { cr3($0, levels: 0) },
        CameraForm("lossy.cr3") { cr3($0, levels: 3) },
        CameraForm("compressed.arw") { arw($0) },
        CameraForm("lossless-14.nef") { nef($0, .lossless, bits: 14) },
        CameraForm("lossless-12.nef") { nef($0, .lossless, bits: 12) },
        CameraForm("lossy-12.nef") { nef($0, .lossy, bits: 12) },
        CameraForm("packed-12.nef") { packedNEF($0) },
        CameraForm("16.nef") { wholeSamples($0, .nikon) },
        CameraForm("16.arw") { wholeSamples($0, .sony) },
        CameraForm("14.raf") { raf($0, bits: 14) },
        CameraForm("16.raf") { raf($0, bits: 16) },
        CameraForm("compressed-xtrans-14.raf") { compressedRAF($0, .xTrans, bits: 14) },
        CameraForm("compressed-bayer-14.raf") { compressedRAF($0, .bayer, bits: 14) },
        CameraForm("compressed-bayer-16.raf") { compressedRAF($0, .bayer, bits: 16) },
        CameraForm("lossy-xtrans-14.raf") { compressedRAF($0, .xTrans, bits: 14, tolerance: 5) },
        CameraForm("lossy-bayer-14.raf") { compressedRAF($0, .bayer, bits: 14, tolerance: 5) },
        CameraForm("14.pef") { pef($0, bits: 14) },
        CameraForm("12.pef") { pef($0, bits: 12) },
        CameraForm("compressed.orf") { orf($0, .compressed) },
        CameraForm("words.orf") { orf($0, .words) },
        CameraForm("padded.orf") { orf($0, .padded) },
        CameraForm("format-4.rw2") { rw2($0, 4, bits: 12) },
        CameraForm("format-5-12.rw2") { rw2($0, 5, bits: 12) },
        CameraForm("format-5-14.rw2") { rw2($0, 5, bits: 14) },
        CameraForm("format-6-14.rw2") { rw2($0, 6, bits: 14) },
        CameraForm("format-7-14.rw2") { rw2($0, 7, bits: 14) },
    ]

    /// One uncompressed strip, from which `dng_forms.py` makes other forms.
    private static func dng(
        _ size: PixelSize, _ tables: DNGHuffmanTables = .shared,
        compression: DNGCompression = .losslessJPEG(predictor: 1),
        layout: SensorLayout = .bayer([.red, .green, .green, .blue])
    ) -> [UInt8] {
        let plane = CameraScene.plane(size, black: 512, bits: 14, layout: layout)
        var picture = DNGPicture(plane: plane, layout: layout)
        picture.huffmanTables = tables
        picture.black = .init(rows: 1, columns: 1, values: [Rational(512, 1)])
        picture.compression = compression
        if case .none = compression { picture.chunking = .strips(rows: size.height) }
        return DNGWriter().file(picture)
    }

    private static func cr2(_ size: PixelSize, components: Int) -> [UInt8] {
        let width = size.width / 12 * 12
        let size = PixelSize(width: width, height: size.height)
        var file = CR2File(size: size, components: components, slices: [2, width / 3, width / 3])
        file.hasBalance = true
        return file.bytes(file.plane())
    }

    /// With the quantisation steps of an EOS M50.
    private static func cr3(_ size: PixelSize, levels: Int) -> [UInt8] {
        var file = CR3File(levels: levels)
        file.size = PixelSize(width: size.width / 8 * 8, height: size.height / 2 * 2)
        file.tile = PixelSize(width: file.size.width / 2, height: file.size.height)
        file.steps = [4, 16, 26]
        return file.file(CameraScene.plane(file.size, black: 2048, bits: 14))
    }

    private static func arw(_ size: PixelSize) -> [UInt8] {
        var file = ARWFile()
        file.size = PixelSize(width: size.width / 32 * 32, height: size.height)
        return file.file(file.samples(CameraScene.plane(file.size, black: 512, bits: 14)))
    }

    private static func packedNEF(_ size: PixelSize) -> [UInt8] {
        var file = PackedNEFFile()
        file.size = PixelSize(width: size.width / 2 * 2, height: size.height)
        return file.file(file.samples(CameraScene.plane(file.size, black: 512, bits: 12)))
    }

    private static func wholeSamples(_ size: PixelSize, _ maker: WholeSamplesFile.Maker) -> [UInt8] {
        var file = WholeSamplesFile(maker)
        file.size = size
        return file.file(file.samples(CameraScene.plane(size, black: 512, bits: 14)))
    }

    private static func raf(_ size: PixelSize, bits: Int) -> [UInt8] {
        var file = RAFFile(bits: bits)
        file.size = PixelSize(width: size.width / 48 * 48, height: size.height / 6 * 6)
        return file.file(file.samples(CameraScene.plane(file.size, black: 1022, bits: 14, layout: file.layout)))
    }

    /// - Parameter tolerance: maximum error of samples; nil for lossless.
    private static func compressedRAF(
        _ size: PixelSize, _ sensor: RAFFile.Sensor, bits: Int, tolerance: UInt8? = nil
    ) -> [UInt8] {
        var file = RAFFile(compressed: sensor, bits: bits)
        file.size = PixelSize(width: size.width / 24 * 24, height: size.height / 6 * 6)
        let plane = CameraScene.plane(file.size, black: 1022, bits: bits, layout: file.layout)
        guard let tolerance else { return file.file(file.samples(file.strips(plane))) }
        let rows = [UInt8](repeating: tolerance, count: file.size.height / 6)
        let tolerances = [[UInt8]](repeating: rows, count: file.stripCount)
        let decoded = Plane<UInt16>(width: file.size.width, height: file.size.height)
        let strips = file.strips(plane, tolerances: tolerances, decoded: decoded)
        return file.file(file.samples(strips, tolerances: tolerances))
    }

    private static func pef(_ size: PixelSize, bits: Int) -> [UInt8] {
        var file = PEFFile(bits: bits)
        file.size = size
        if bits == 12 { file.model = "PENTAX K20D" }
        return file.file(file.stream(CameraScene.plane(size, black: 512, bits: bits)))
    }

    private static func orf(_ size: PixelSize, _ form: ORFFile.Form) -> [UInt8] {
        var file = ORFFile(form)
        file.size = PixelSize(width: size.width / 40 * 40, height: size.height)
        return file.file(file.samples(CameraScene.plane(file.size, black: 1024, bits: 12)))
    }

    private static func rw2(_ size: PixelSize, _ format: Int, bits: Int) -> [UInt8] {
        var file = RW2File(format, bits: bits)
        let together = file.samplesPerGroup
        file.size = PixelSize(width: size.width / (2 * together) * 2 * together, height: size.height / 16 * 16)
        return file.file(file.groups(CameraScene.plane(file.size, black: 512, bits: bits)))
    }

    private static func nef(_ size: PixelSize, _ compression: NEFFile.Compression, bits: Int) -> [UInt8] {
        var file = NEFFile(compression, bits: bits)
        file.size = size
        // A D90 has 12 bits: 14-bit samples would be almost completely burnt.
        if bits == 14 { file.model = "NIKON D300" }
        return file.file(file.stream(CameraScene.plane(size, black: 512, bits: bits)))
    }
}
