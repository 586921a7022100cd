internal import PictureFormat

/// The chunks of a PNG file: its header, and the places of its pixels.
struct PNGStructure {
    private(set) var size = PixelSize(width: 0, height: 0)
    /// Bits of a sample or palette index in the file: 1, 2, 4, 8 or 16.
    private(set) var depth = 0
    private(set) var isGrey = false
    private(set) var hasAlpha = false
    private(set) var isInterlaced = false
    /// Red, green and blue of each palette colour; empty without a palette.
    private(set) var palette: [UInt8] = []
    private(set) var hasPalette = false
    private(set) var hasProfile = false
    /// Ranges of the zlib stream.
    private(set) var data: [Range<Int>] = []

    var samplesPerPixel: Int { (isGrey || hasPalette ? 1 : 3) + (hasAlpha ? 1 : 0) }

    /// Distance of the bytes that a filter compares.
    var filterDistance: Int { max(samplesPerPixel * depth / 8, 1) }

    var passes: [PNGPass] {
        (isInterlaced ? PNGPass.adam7 : [PNGPass(x: 0, y: 0, stepX: 1, stepY: 1)])
            .filter { $0.columns(of: size) > 0 && $0.rows(of: size) > 0 }
    }

    /// Bytes of a row of a pass, including its filter byte.
    func rowBytes(_ pass: PNGPass) -> Int { 1 + (pass.columns(of: size) * samplesPerPixel * depth + 7) / 8 }

    init(_ bytes: [UInt8]) throws(PNGError) {
        guard bytes.starts(with: PNGChunk.signature) else {
            throw PNGError("it is not a PNG file", "save it as PNG; a JPEG cannot hold a table")
        }
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        var place = PNGChunk.signature.count
        var isAtPixels = false
        while true {
            guard bytes.count - place >= 12 else { throw .cutOff }
            let count = number(place)
            guard count <= bytes.count - place - 12 else { throw .cutOff }
            let type = bytes[place + 4..<place + 8]
            let content = place + 8..<place + 8 + count
            guard PNGChunk.checksum(bytes[place + 4..<content.upperBound]) == UInt32(number(content.upperBound)) else {
                throw .damaged
            }
            let name = String(decoding: type, as: UTF8.self)
            guard (name == "IHDR") == (size.width == 0) else { throw .damaged }
            // The pixel chunks are consecutive.
            guard name != "IDAT" || data.isEmpty || isAtPixels else { throw .damaged }
            isAtPixels = name == "IDAT"
            switch name {
            case "IHDR": try header(bytes[content])
            case "IDAT": data.append(content)
            case "IEND":
                guard !data.isEmpty, hasPalette == !palette.isEmpty else { throw .damaged }
                return
            case "tRNS": throw PNGError("a colour of the picture is transparent", "save it without transparency")
            case "iCCP": hasProfile = true
            // For truecolour a palette is only a suggestion.
            case "PLTE" where hasPalette:
                guard palette.isEmpty, data.isEmpty, count > 0, count <= 768, count.isMultiple(of: 3) else {
                    throw .damaged
                }
                palette = Array(bytes[content])
            case "PLTE": break
            default:
                // A lower-case first letter marks a chunk that readers may ignore.
                guard type.first.map({ $0 & 0x20 != 0 }) == true else { throw .damaged }
            }
            place = content.upperBound + 4
        }
    }

    private mutating func header(_ bytes: ArraySlice<UInt8>) throws(PNGError) {
        guard bytes.count == 13 else { throw .damaged }
        let fields = Array(bytes)
        func number(_ place: Int) -> Int { fields[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(0), number(4))
        guard width > 0, height > 0, width < 1 << 31, height < 1 << 31, fields[10] == 0, fields[11] == 0 else {
            throw .damaged
        }
        let depths: [UInt8: Set<UInt8>] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        guard depths[fields[9]]?.contains(fields[8]) == true, fields[12] <= 1 else { throw .damaged }
        size = PixelSize(width: width, height: height)
        depth = Int(fields[8])
        hasPalette = fields[9] == 3
        isGrey = fields[9] & 2 == 0
        hasAlpha = fields[9] & 4 != 0
        isInterlaced = fields[12] == 1
    }
}

/// A pass: the pixels of every n-th column and m-th row.
struct PNGPass {
    let x: Int
    let y: Int
    let stepX: Int
    let stepY: Int

    /// The order of interlaced pictures (A. M. Costello, 1995, "Adam7").
    static let adam7 = [
        PNGPass(x: 0, y: 0, stepX: 8, stepY: 8), PNGPass(x: 4, y: 0, stepX: 8, stepY: 8),
        PNGPass(x: 0, y: 4, stepX: 4, stepY: 8), PNGPass(x: 2, y: 0, stepX: 4, stepY: 4),
        PNGPass(x: 0, y: 2, stepX: 2, stepY: 4), PNGPass(x: 1, y: 0, stepX: 2, stepY: 2),
        PNGPass(x: 0, y: 1, stepX: 1, stepY: 2),
    ]

    func columns(of size: PixelSize) -> Int { max(size.width - x + stepX - 1, 0) / stepX }
    func rows(of size: PixelSize) -> Int { max(size.height - y + stepY - 1, 0) / stepY }
}
