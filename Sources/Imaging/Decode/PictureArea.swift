import CLibRaw
import Metadata
import PictureFormat
import Pixels

extension Frame {
    /// Narrows LibRaw's visible area to the picture the camera speaks of, so that ours has the size of the camera's
    /// own. The visible area is often a few columns wider. A size that differs by more than 3 % is that of another
    /// picture.
    func narrowed(_ visible: PixelRect) -> PixelRect {
        for declared in declaredSizes {
            let width = visible.size.width
            let height = visible.size.height
            let fits = declared.width <= width && declared.height <= height
            guard fits, declared.width * 100 >= width * 97, declared.height * 100 >= height * 97 else { continue }
            // By whole pattern blocks, so that the phase stays.
            let x = (width - declared.width) / 4 * 2
            let y = (height - declared.height) / 4 * 2
            return PixelRect(x: visible.x + x, y: visible.y + y, size: declared)
        }
        return visible
    }

    private var declaredSizes: [PixelSize] {
        guard dng == nil else { return [] }
        var sizes: [PixelSize] = []
        if let size = exifSize { sizes.append(size) }
        if let size = CIFFFile(bytes)?.pictureSize { sizes.append(size) }
        if let directory = rawDirectory, let width = directory.integer(256), let height = directory.integer(257) {
            sizes.append(PixelSize(width: width, height: height))
        }
        return sizes.filter { $0.width > 0 && $0.height > 0 }
    }

    /// PixelXDimension and PixelYDimension: the size of the camera's own JPEG.
    private var exifSize: PixelSize? {
        func value(_ number: UInt16) -> Int? {
            guard let tag = tags.first(where: { $0.directory == 0 && $0.number == number }) else { return nil }
            switch tag.type {
            case .short where tag.value.count >= 2: return Int(tag.value[0]) | Int(tag.value[1]) << 8
            case .long where tag.value.count >= 4:
                return tag.value.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            default: return nil
            }
        }
        guard let width = value(0xa002), let height = value(0xa003) else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The TIFF directory LibRaw reads the samples from.
    var rawDirectory: TIFFDirectory? {
        let offset = Int(raw.facts.dataOffset)
        return tiff?.directories.first { directory in
            [273, 324].contains { directory.integers($0)?.first == offset }
        }
    }
}
