import PictureFormat
import Pixels

/// What stands before a JPEG's entropy-coded data, as TurboJPEG wrote it for one strip.
struct JPEGHead {
    /// All of it, in bytes.
    let byteCount: Int
    /// Tables, frame and scan header: without SOI and the JFIF segment.
    private let segments: [UInt8]
    /// Places among the segments: where the frame's height stands, and where the scan header begins.
    private let heightPlace: Int
    private let scanPlace: Int

    /// Nil for what is no such head.
    init?(_ jpeg: UnsafeRawBufferPointer) {
        guard jpeg.count > 4, jpeg[0] == 0xFF, jpeg[1] == 0xD8 else { return nil }
        var first: Int?
        var height: Int?
        var place = 2
        while place + 4 <= jpeg.count, jpeg[place] == 0xFF {
            let marker = jpeg[place + 1]
            if marker != 0xE0, first == nil { first = place }
            // SOF0: length, precision, height.
            if marker == 0xC0 { height = place + 5 }
            let next = place + 2 + Int(jpeg[place + 2]) << 8 + Int(jpeg[place + 3])
            guard next <= jpeg.count else { return nil }
            if marker == 0xDA, let first, let height {
                byteCount = next
                segments = Array(jpeg[first..<next])
                heightPlace = height - first
                scanPlace = place - first
                return
            }
            place = next
        }
        return nil
    }

    /// The same for the whole picture, with the interval at which the strips' data restarts (ITU-T T.81, B.2.4.4).
    func whole(_ picture: PixelSize, _ subsampling: ChromaSubsampling) -> [UInt8] {
        let edge = subsampling == .quarter ? 16 : 8
        let interval = (picture.width + edge - 1) / edge * (PictureStrip.rows / edge)
        var frame = Array(segments[..<scanPlace])
        frame[heightPlace] = UInt8(truncatingIfNeeded: picture.height >> 8)
        frame[heightPlace + 1] = UInt8(truncatingIfNeeded: picture.height)
        frame += [0xFF, 0xDD, 0, 4, UInt8(truncatingIfNeeded: interval >> 8), UInt8(truncatingIfNeeded: interval)]
        return frame + segments[scanPlace...]
    }
}
