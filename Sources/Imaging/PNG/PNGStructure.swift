internal import PictureFormat

/// The chunks of a PNG file: what its header says, and where its pixels are.
struct PNGStructure {
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var bits = 0
    private(set) var isGrey = false
    private(set) var hasAlpha = false
    private(set) var hasProfile = false
    /// The pieces of the zlib stream.
    private(set) var data: [Range<Int>] = []

    /// Bytes of a pixel.
    var pixelBytes: Int { ((isGrey ? 1 : 3) + (hasAlpha ? 1 : 0)) * bits / 8 }

    init(_ bytes: [UInt8]) throws(PNGError) {
        guard bytes.starts(with: PNGChunk.signature) else {
            throw PNGError("it is no PNG file", "save it as PNG; a JPEG cannot hold a table")
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
            // The pixels are in chunks without others between them.
            guard name != "IDAT" || data.isEmpty || isAtPixels else { throw .damaged }
            isAtPixels = name == "IDAT"
            switch name {
            case "IHDR": try header(bytes[content])
            case "IDAT": data.append(content)
            case "IEND":
                guard !data.isEmpty else { throw .damaged }
                return
            case "tRNS": throw PNGError("a colour of the picture is transparent", "save it without transparency")
            case "iCCP": hasProfile = true
            case "PLTE": break
            default:
                // A small first letter says that a reader may do without it.
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
        guard fields[9] != 3 else {
            throw PNGError("the picture has a palette, which loses colours", "save it as RGB with 8 or 16 bits")
        }
        guard [0, 2, 4, 6].contains(fields[9]), [1, 2, 4, 8, 16].contains(fields[8]), fields[12] <= 1 else {
            throw .damaged
        }
        guard fields[8] >= 8 else {
            throw PNGError("the picture has \(fields[8]) bits a pixel", "save it with 8 or 16 bits a channel")
        }
        guard fields[12] == 0 else { throw PNGError("the picture is interlaced", "save it without interlacing") }
        size = PixelSize(width: width, height: height)
        bits = Int(fields[8])
        isGrey = fields[9] & 2 == 0
        hasAlpha = fields[9] & 4 != 0
    }
}
