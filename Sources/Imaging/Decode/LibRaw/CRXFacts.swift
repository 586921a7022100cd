import CLibRaw
import PictureFormat

/// What a CR3 says of the picture that LibRaw has chosen.
struct CRXFacts {
    /// 0x100, or 0x200 of later cameras.
    let version: Int
    /// Whether LibRaw reads that version.
    let isRead: Bool
    /// Of all tiles but the last ones, in pixels of the sensor.
    let tileSize: PixelSize
    let bits: Int
    let planeCount: Int
    /// Which of red, green, green and blue is in the first corner of the sensor.
    let layout: Int
    /// 0 where planes are coded as they are.
    let coding: Int
    /// How often planes are split into bands; 0 for what is stored without loss.
    let levels: Int
    let headerBytes: Int
}

extension CRXFacts {
    /// Nil for other formats.
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
