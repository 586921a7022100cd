import DecodeKernels
import TIFF
import PictureFormat

extension StoredSamples {
    /// The position of each plane in a square of four samples, for each colour layout.
    private static let places = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    /// Canon's CR3, whose samples' header is at `place`. Nil if LibRaw has to decode it: unknown codings, and bands in
    /// several rows of tiles.
    init?(cr3 crx: CRXFacts, _ reader: ByteReader, at place: Int, size: PixelSize) throws(DecodeError) {
        let tile = crx.tileSize
        guard crx.isRead, (9...14).contains(crx.bits), crx.planeCount == 4,
            Self.places.indices.contains(crx.layout), crx.coding == 0, (0...3).contains(crx.levels),
            [size.width, size.height, tile.width, tile.height].allSatisfy({ $0 % 2 == 0 })
        else { return nil }
        let grid = try crx.grid(of: size)
        let header = try CRXHeader(crx, reader, at: place, grid: grid)
        guard header.isUsual, crx.levels == 0 || grid.down == 1, header.tiles.allSatisfy({ reader.contains($0.bytes) }),
            // LibRaw does not initialize the memory of a plane without bytes.
            crx.levels > 0 || header.tiles.allSatisfy({ $0.planes.joined().allSatisfy { !$0.bytes.isEmpty } })
        else { return nil }
        width = size.width
        height = size.height
        coding = .crx(
            header.tiles.enumerated().map { index, tile in
                CRXTile(
                    planes: tile.planes, isPredicted: tile.isPredicted, hasLeftNeighbour: index % grid.across > 0,
                    hasRightNeighbour: index % grid.across < grid.across - 1)
            }, bits: crx.bits, places: Self.places[crx.layout])
        chunks = header.tiles.enumerated().map { index, part in
            let (x, y) = (index % grid.across * tile.width, index / grid.across * tile.height)
            let slice = PlaneSlice(
                x: x, y: y, width: min(tile.width, size.width - x), height: min(tile.height, size.height - y))
            return Chunk(bytes: part.bytes, slices: [slice])
        }
        isReadByLibRaw = true
    }
}
