package import PictureFormat
package import Pixels
import Samples

/// A Canon CR2 (Laurent Clévy, "Inside the Canon RAW format version 2", 2016): four chained directories, the last of
/// which holds the samples as one lossless JPEG, slice after slice.
package struct CR2File: CustomStringConvertible, Sendable {
    package var size: PixelSize
    package var components: Int
    /// Number of slices before the last one, their width, and the last one's width.
    package var slices: [Int]?
    package var bits: Int
    package var predictor: Int
    /// Sensor rows per JPEG row.
    package var rowsTogether: Int
    package var model = "Canon EOS 40D"
    /// Whether the file has a white balance. Estimating one takes longer than everything else.
    package var hasBalance = false

    package init(
        size: PixelSize = PixelSize(width: 96, height: 64), components: Int = 2, slices: [Int]? = nil, bits: Int = 14,
        predictor: Int = 1, rowsTogether: Int = 1
    ) {
        self.size = size
        self.components = components
        self.slices = slices
        self.bits = bits
        self.predictor = predictor
        self.rowsTogether = rowsTogether
    }

    package var description: String {
        "\(size.width)×\(size.height), \(components) components, slices \(slices ?? []), \(bits) bits, "
            + "predictor \(predictor), \(rowsTogether) rows together"
    }

    /// The camera's samples.
    package func plane() -> Plane<UInt16> {
        CameraScene.plane(size, black: 1024, bits: bits)
    }

    package func bytes(_ plane: borrowing Plane<UInt16>) -> [UInt8] { file(jpeg: jpeg(plane)) }

    /// Slice by slice, each row by row.
    private func inOrder(_ plane: borrowing Plane<UInt16>) -> [UInt16] {
        var widths = [size.width]
        if let slices, slices[0] > 0 { widths = [Int](repeating: slices[1], count: slices[0]) + [slices[2]] }
        var samples: [UInt16] = []
        var left = 0
        for width in widths {
            for y in 0..<size.height { samples += (left..<left + width).map { plane.row(y)[$0] } }
            left += width
        }
        return samples
    }

    private func jpeg(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        let samples = inOrder(plane)
        let shape = LosslessJPEGEncoder.Shape(
            width: size.width * rowsTogether / components, height: size.height / rowsTogether, components: components)
        let encoder = LosslessJPEGEncoder(shape: shape, precision: bits, predictor: predictor)
        var frequencies = [Int](repeating: 0, count: HuffmanCode.symbols)
        encoder.count(samples, into: &frequencies)
        return Self.withTwoTables(encoder.encode(samples, tables: [HuffmanCode(frequencies: frequencies)]))
    }

    /// Canon names two tables with the same content, one for every other component.
    private static func withTwoTables(_ jpeg: [UInt8]) -> [UInt8] {
        guard let start = jpeg.indices.first(where: { jpeg[$0...].starts(with: [0xff, 0xc4]) }),
            let scan = jpeg[start...].indices.first(where: { jpeg[$0...].starts(with: [0xff, 0xda]) })
        else { return jpeg }
        var second = Array(jpeg[start..<scan])
        second[4] = 1
        var result = jpeg
        for component in 0..<Int(jpeg[scan + 4]) where component % 2 == 1 { result[scan + 6 + 2 * component] = 0x10 }
        result.insert(contentsOf: second, at: scan)
        return result
    }

    package func file(jpeg: [UInt8]) -> [UInt8] {
        let thumbnail = [UInt8](repeating: 90, count: 192)
        func directories(_ strips: Int) -> [[CameraField]] {
            [
                [
                    .shorts(258, [8, 8, 8]), .shorts(259, [6]), .text(271, "Canon"), .text(272, model),
                    .shorts(274, [1]), .text(306, "2009:05:01 08:00:00"),
                ]
                    + (hasBalance ? [.longs(34665, [strips + thumbnail.count + jpeg.count])] : []),
                [.shorts(259, [6])],
                [
                    .shorts(256, [8]), .shorts(257, [8]), .shorts(258, [8, 8, 8]), .shorts(259, [1]),
                    .shorts(262, [2]), .longs(273, [strips]), .shorts(277, [3]), .shorts(278, [8]),
                    .longs(279, [thumbnail.count]),
                ],
                [.shorts(259, [6]), .longs(273, [strips + thumbnail.count]), .longs(279, [jpeg.count])]
                    + (slices.map { [.shorts(0xc640, $0)] } ?? []),
            ]
        }
        let strips = chain(directories(0)).count
        let exif = hasBalance ? exif(at: strips + thumbnail.count + jpeg.count) : []
        return chain(directories(strips)) + thumbnail + jpeg + exif
    }

    /// An EXIF directory with a maker note that only has the colour data of an EOS 20D: 582 numbers, of which four from
    /// the 25th on are the white balance.
    private func exif(at start: Int) -> [UInt8] {
        var colours = [Int](repeating: 0, count: 582)
        colours[25..<29] = [2000, 1024, 1024, 1500]
        let note = CameraField.laidOut([.shorts(0x4001, colours)], at: start + 18, next: 0)
        return CameraField.number(1, 2) + CameraField.number(0x927c, 2) + CameraField.number(7, 2)
            + CameraField.number(note.count, 4) + CameraField.number(start + 18, 4)
            + CameraField.number(0, 4) + note
    }

    /// The header and the directories, each followed by values that do not fit into it.
    private func chain(_ directories: [[CameraField]]) -> [UInt8] {
        var starts = [16]
        for fields in directories {
            starts.append(starts[starts.count - 1] + CameraField.laidOut(fields, at: 0, next: 0).count)
        }
        let header: [UInt8] = [0x49, 0x49, 42, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0] + CameraField.number(starts[3], 4)
        return directories.indices.reduce(header) { file, index in
            file + CameraField.laidOut(directories[index], at: starts[index], next: index == 3 ? 0 : starts[index + 1])
        }
    }
}
