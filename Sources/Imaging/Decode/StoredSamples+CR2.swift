import PictureFormat
import Pixels

extension StoredSamples {
    /// Canon's CR2: one lossless JPEG, whose samples fill upright slices of the sensor from left to right (Laurent
    /// Clévy, "Inside the Canon RAW format version 2", 2016). Nil for what is left to LibRaw.
    ///
    /// - Parameter size: of the whole sensor, which the directory does not state.
    init?(cr2 directory: TIFFDirectory, size: PixelSize) throws(DecodeError) {
        // The EOS-1D Mark III shifts its samples by two.
        guard directory.integer(259) == 6, let chunks = directory.chunks, chunks.count == 1, size.width != 3984 else {
            return nil
        }
        var slices: [Slice] = []
        var x = 0
        for width in try sliceWidths(directory, of: size.width) {
            slices.append(Slice(x: x, y: 0, width: width, height: size.height))
            x += width
        }
        width = size.width
        height = size.height
        coding = .losslessJPEG(sixteenHasBits: false)
        runs = [Run(bytes: chunks[0], slices: slices)]
        isReadByLibRaw = true
    }
}

/// The field holds how many slices there are but the last, their width, and the last one's; without it, there is one.
private func sliceWidths(_ directory: TIFFDirectory, of width: Int) throws(DecodeError) -> [Int] {
    guard !directory.unreadable.contains(0xc640) else { throw .contradiction }
    guard let field = directory.integers(0xc640), field.first != 0 else { return [width] }
    guard field.count == 3, field[1] > 0, field[2] > 0, field[0] * field[1] + field[2] == width else {
        throw .contradiction
    }
    return [Int](repeating: field[1], count: field[0]) + [field[2]]
}

extension TIFFFile {
    /// Canon's mark and the format's version follow the header.
    var isCR2: Bool { reader.word(2) == 42 && reader.starts(with: "CR\u{2}", at: 8) }
}
