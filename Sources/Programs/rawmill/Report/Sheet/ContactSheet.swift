import PNG
import PictureFormat

/// A picture of 8 bits a channel to draw on.
struct Canvas {
    let size: PixelSize
    /// Red, green and blue of each pixel, row by row.
    private(set) var samples: [UInt16]

    init(size: PixelSize, grey: UInt16) {
        self.size = size
        samples = [UInt16](repeating: grey, count: 3 * size.width * size.height)
    }

    /// Draws a picture with its top left corner there, clipped to the canvas.
    mutating func draw(_ picture: PNGPicture, x: Int, y: Int) {
        let shift = picture.bits == 16
        for row in 0..<min(picture.size.height, size.height - y) {
            for column in 0..<3 * min(picture.size.width, size.width - x) {
                let sample = picture.samples[3 * row * picture.size.width + column]
                samples[3 * ((y + row) * size.width + x) + column] =
                    shift ? UInt16((UInt32(sample) + 128) / 257) : sample
            }
        }
    }

    /// Writes text in one line, clipped to the width.
    mutating func write(_ text: String, x: Int, y: Int, width: Int, grey: UInt16 = 225) {
        let letters = max(width / BitmapFont.width, 1)
        let shown = text.count > letters ? text.prefix(letters - 1) + "~" : text[...]
        for (index, character) in shown.enumerated() {
            let left = x + index * BitmapFont.width
            for (row, bits) in BitmapFont.rows(of: character).enumerated() where y + row < size.height {
                for column in 0..<BitmapFont.width where left + column < size.width {
                    guard bits >> (BitmapFont.width - 1 - column) & 1 == 1 else { continue }
                    let place = 3 * ((y + row) * size.width + left + column)
                    for channel in 0..<3 { samples[place + channel] = grey }
                }
            }
        }
    }

    var picture: PNGPicture { PNGPicture(size: size, bits: 8, samples: samples) }
}

/// Pictures of one size in a grid, each with its name below.
struct ContactSheet {
    struct Frame {
        let label: String
        let picture: PNGPicture
    }

    private static let gap = 12
    private static let line = BitmapFont.height + 6

    /// - Parameters:
    ///   - title: the heading.
    ///   - frames: at least one.
    ///   - columns: nil for a sheet with an aspect ratio of about 3:2.
    static func picture(title: String, _ frames: [Frame], columns: Int? = nil) -> PNGPicture {
        let width = frames.map(\.picture.size.width).max() ?? 1
        let height = frames.map(\.picture.size.height).max() ?? 1
        let cell = PixelSize(width: width + gap, height: height + line + gap)
        let columns = columns ?? usualColumns(frames.count, cell)
        let rows = (frames.count + columns - 1) / columns
        var canvas = Canvas(
            size: PixelSize(width: gap + columns * cell.width, height: gap + line + rows * cell.height), grey: 28)
        canvas.write(title, x: gap, y: gap - 4, width: canvas.size.width - 2 * gap)
        for (index, frame) in frames.enumerated() {
            let (x, y) = (gap + index % columns * cell.width, gap + line + index / columns * cell.height)
            canvas.draw(frame.picture, x: x, y: y)
            canvas.write(frame.label, x: x, y: y + frame.picture.size.height + 4, width: width)
        }
        return canvas.picture
    }

    private static func usualColumns(_ count: Int, _ cell: PixelSize) -> Int {
        var columns = 1
        while columns < count, 2 * columns * cell.width < 3 * ((count + columns - 1) / columns) * cell.height {
            columns += 1
        }
        return columns
    }
}

/// The difference of two pictures of one size.
struct PictureDifference {
    /// The amplification of the differences in the picture.
    static let gain = 4
    /// Over all samples, in 255ths.
    let mean: Double
    /// In 255ths.
    let largest: Double
    /// The differences of each channel, `gain` times as bright.
    let picture: PNGPicture

    init(_ first: PNGPicture, _ second: PNGPicture) {
        let white = Double(first.bits == 8 ? 255 : 65_535)
        let differences = zip(first.samples, second.samples).map { $0 > $1 ? $0 - $1 : $1 - $0 }
        mean = differences.reduce(0) { $0 + Double($1) } / Double(max(differences.count, 1)) / white * 255
        largest = Double(differences.max() ?? 0) / white * 255
        picture = PNGPicture(
            size: first.size, bits: first.bits,
            samples: differences.map { UInt16(min(Int($0) * Self.gain, Int(white))) })
    }
}
