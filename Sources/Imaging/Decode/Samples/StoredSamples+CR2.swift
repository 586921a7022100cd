import DecodeKernels
import TIFF
import PictureFormat

extension StoredSamples {
    /// Canon's CR2: one lossless JPEG whose samples fill vertical slices of the sensor from left to right (Laurent
    /// Clévy, "Inside the Canon RAW format version 2", 2016). Nil if LibRaw has to decode it. The directory does not
    /// state `size`, the whole sensor's.
    init?(cr2 directory: TIFFDirectory, size: PixelSize) throws(DecodeError) {
        // The EOS-1D Mark III shifts its samples by two bits.
        guard directory.compression == TIFFCompression.oldJPEG, let chunks = directory.chunks, chunks.count == 1,
            size.width != 3984
        else { return nil }
        var slices: [PlaneSlice] = []
        var x = 0
        for width in try directory.canonSliceWidths(of: size.width) {
            slices.append(PlaneSlice(x: x, y: 0, width: width, height: size.height))
            x += width
        }
        width = size.width
        height = size.height
        coding = .losslessJPEG(sixteenHasBits: false)
        self.chunks = [Chunk(bytes: chunks[0], slices: slices)]
        isReadByLibRaw = true
    }
}

extension TIFFDirectory {
    /// The field holds the number of slices before the last, their width, and the last one's width. Without it there is
    /// one slice.
    fileprivate func canonSliceWidths(of width: Int) throws(DecodeError) -> [Int] {
        guard !unreadable.contains(.canonSlices) else { throw .contradiction }
        guard let field = integers(.canonSlices), field.first != 0 else { return [width] }
        guard field.count == 3, field.allSatisfy({ (1...65_535).contains($0) }),
            field[0] * field[1] + field[2] == width
        else { throw .contradiction }
        return [Int](repeating: field[1], count: field[0]) + [field[2]]
    }
}
