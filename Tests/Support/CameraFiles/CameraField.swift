import PictureFormat

/// A field of a TIFF directory, little-endian (TIFF Revision 6.0, Adobe 1992).
struct CameraField {
    let tag: Int
    let type: Int
    let count: Int
    let value: [UInt8]

    static func bytes(_ tag: Int, _ values: [UInt8]) -> CameraField {
        CameraField(tag: tag, type: 1, count: values.count, value: values)
    }

    static func undefined(_ tag: Int, _ values: [UInt8]) -> CameraField {
        CameraField(tag: tag, type: 7, count: values.count, value: values)
    }

    static func shorts(_ tag: Int, _ values: [Int]) -> CameraField {
        CameraField(tag: tag, type: 3, count: values.count, value: values.flatMap { number($0, 2) })
    }

    static func longs(_ tag: Int, _ values: [Int]) -> CameraField {
        CameraField(tag: tag, type: 4, count: values.count, value: values.flatMap { number($0, 4) })
    }

    /// Integers as fractions over 256.
    static func rationals256(_ tag: Int, _ values: [Int]) -> CameraField {
        CameraField(
            tag: tag, type: 5, count: values.count, value: values.flatMap { number($0, 4) + number(256, 4) })
    }

    static func text(_ tag: Int, _ text: String) -> CameraField {
        CameraField(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
    }

    /// Little-endian bytes.
    static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A directory, followed by values that do not fit into it.
    ///
    /// - Parameters:
    ///   - fields: in the order of their tags.
    ///   - start: offset of the directory.
    ///   - next: offset of the next one.
    static func laidOut(_ fields: [CameraField], at start: Int, next: Int = 0) -> [UInt8] {
        var table = number(fields.count, 2)
        var extra: [UInt8] = []
        for field in fields {
            table += number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
            if field.value.count <= 4 {
                table += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                table += number(start + 2 + fields.count * 12 + 4 + extra.count, 4)
                extra += field.value + (field.value.count % 2 == 1 ? [0] : [])
            }
        }
        return table + number(next, 4) + extra
    }

    /// The fields of samples in one strip.
    ///
    /// - Parameter place: offset of the samples.
    static func sensor(
        _ size: PixelSize, bits: Int, compression: Int, at place: Int, byteCount: Int
    ) -> [CameraField] {
        [
            .longs(254, [0]), .longs(256, [size.width]), .longs(257, [size.height]), .shorts(258, [bits]),
            .shorts(259, [compression]), .shorts(262, [32803]), .longs(273, [place]), .shorts(277, [1]),
            .longs(278, [size.height]), .longs(279, [byteCount]), .shorts(33421, [2, 2]), .bytes(33422, [0, 1, 1, 2]),
        ]
    }

    /// A file whose first directory refers to one for the samples (tag 330), and optionally one for EXIF.
    ///
    /// - Parameters:
    ///   - main: fields of the first directory, without the references.
    ///   - raw: fields of the samples' directory, by the samples' offset.
    ///   - note: a maker note.
    ///   - magic: the second number of the header.
    static func file(
        main: [CameraField], raw: (Int) -> [CameraField], note: [UInt8]? = nil, samples: [UInt8], magic: Int = 42
    ) -> [UInt8] {
        func directories(_ places: (raw: Int, exif: Int, samples: Int)) -> [[UInt8]] {
            let first = main + [.longs(330, [places.raw])] + (note == nil ? [] : [.longs(34665, [places.exif])])
            return [
                laidOut(first, at: 8), laidOut(raw(places.samples), at: places.raw),
                note.map { laidOut([.undefined(37500, $0)], at: places.exif) } ?? [],
            ]
        }
        let sizes = directories((0, 0, 0)).map(\.count)
        let rawPlace = 8 + sizes[0]
        let exifPlace = rawPlace + sizes[1]
        let header = [0x49, 0x49] + number(magic, 2) + number(8, 4)
        return header + directories((rawPlace, exifPlace, exifPlace + sizes[2])).joined() + samples
    }
}
