import CLibRaw
import PictureFormat

/// A CR3's facts about the picture that LibRaw selected.
struct CRXFacts {
    /// 0x100; 0x200 for newer cameras.
    let version: Int
    /// Whether LibRaw reads this version.
    let isRead: Bool
    /// Size of all tiles except the last ones, in sensor pixels.
    let tileSize: PixelSize
    let bits: Int
    let planeCount: Int
    /// Index of the colour at the sensor's first corner, among red, green, green, blue.
    let layout: Int
    /// 0 if planes are coded directly.
    let coding: Int
    /// Number of wavelet levels; 0 for lossless samples.
    let levels: Int
    let headerBytes: Int
}

extension CRXFacts {
    init?(_ facts: CLibRawFacts) {
        guard facts.crxVersion != 0 else { return nil }
        version = Int(facts.crxVersion)
        isRead = facts.crxIsRead != 0
        tileSize = PixelSize(width: Int(facts.crxTileWidth), height: Int(facts.crxTileHeight))
        bits = Int(facts.crxBits)
        planeCount = Int(facts.crxPlanes)
        layout = Int(facts.crxLayout)
        coding = Int(facts.crxCoding)
        levels = Int(facts.crxLevels)
        headerBytes = Int(facts.crxHeaderBytes)
    }
}
