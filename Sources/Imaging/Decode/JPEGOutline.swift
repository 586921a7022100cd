import PictureFormat
import Pixels

/// What the headers of a JPEG say up to its picture data (ITU-T T.81, annex B; CIPA DC-008, 2019, for EXIF).
struct JPEGOutline {
    let size: PixelSize
    /// One scan of Huffman-coded 8-bit samples: what costs a time and memory that follow from size and bytes. A
    /// progressive JPEG of a few bytes can ask for hundreds of passes.
    let isSequential: Bool
    /// Where EXIF's own TIFF file lies.
    private(set) var exif: Range<Int>?

    /// Nil for bytes that are no JPEG or end before the picture's size.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let reader = ByteReader(bytes: bytes, littleEndian: false)
        guard reader.word(0) == 0xffd8 else { return nil }
        var place = 2
        var exif: Range<Int>?
        // No camera writes more segments before its picture.
        for _ in 0..<256 {
            guard let marker = reader.word(place), marker > 0xff00, let length = reader.word(place + 2), length >= 2,
                reader.has(place + 2, length)
            else { return nil }
            switch marker {
            case 0xffe1 where exif == nil && length > 8 && reader.starts(with: "Exif\0\0", at: place + 4):
                exif = (place + 10)..<(place + 2 + length)
            case 0xffc0...0xffcf where ![0xffc4, 0xffc8, 0xffcc].contains(marker):
                guard let height = reader.word(place + 5), let width = reader.word(place + 7), width > 0, height > 0
                else { return nil }
                size = PixelSize(width: width, height: height)
                isSequential = (marker == 0xffc0 || marker == 0xffc1) && reader.byte(place + 4) == 8
                self.exif = exif
                return
            default: break
            }
            place += 2 + length
        }
        return nil
    }
}
