import CJPEGTiles
import CJXLTiles
import DecodeKernels

/// Decodes tiles that are complete pictures into reused memory. For one thread.
final class PictureTileDecoder {
    private let tiles: PictureTiles
    private var bytes: [UInt8] = []
    private var samples: [UInt16] = []
    private var numbers: [Float] = []

    init(_ tiles: PictureTiles) { self.tiles = tiles }

    /// Decodes a chunk of integer samples. The target has the same samples per row.
    func unpack(
        _ bytes: UnsafeRawBufferPointer, index: Int, rowSamples: Int, to target: SliceTarget
    ) throws(DecodeError) {
        let (width, height) = try size(index, rowSamples: rowSamples)
        let count = rowSamples * Int(height)
        guard target.sampleCount <= count else { throw .damagedSamples }
        let input = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
        switch tiles.coding {
        case .jpegXL:
            Self.reserve(count, in: &samples, of: 0)
            let tile = CJXLTile(width: width, height: height, channels: UInt32(tiles.samplesPerPixel))
            try check(unsafe CJXLDecodeWhole(input, bytes.count, tile, &samples))
            // libjxl scales 8-bit samples to 16 bits.
            if tiles.bits == 8 {
                for index in samples.indices { samples[index] = UInt16((UInt32(samples[index]) + 128) / 257) }
            }
            guard target.store(rows: samples) else { throw .damagedSamples }
        case .jpeg(let tables):
            Self.reserve(count, in: &self.bytes, of: 0)
            try check(
                unsafe CJPEGTileDecode(input, bytes.count, width, height, UInt32(tiles.samplesPerPixel), &self.bytes))
            let samples = MappedSamples(by: tables, rowSamples: rowSamples)
            guard samples?.unpack(self.bytes, to: target) == true else { throw .damagedSamples }
        }
    }

    func unpack(
        _ bytes: UnsafeRawBufferPointer, index: Int, to slice: PlaneSlice, of picture: any NumberReceiver
    ) throws(DecodeError) {
        let (width, height) = try size(index, rowSamples: slice.width)
        Self.reserve(slice.width * Int(height), in: &numbers, of: 0)
        let tile = CJXLTile(width: width, height: height, channels: UInt32(tiles.samplesPerPixel))
        let input = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
        try check(unsafe CJXLDecodeFloat(input, bytes.count, tile, &numbers))
        guard slice.height <= Int(height), picture.take(rows: numbers, to: slice) else { throw .damagedSamples }
    }

    private func size(_ index: Int, rowSamples: Int) throws(DecodeError) -> (width: UInt32, height: UInt32) {
        guard tiles.storedRows.indices.contains(index), rowSamples > 0, rowSamples % tiles.samplesPerPixel == 0 else {
            throw .contradiction
        }
        return (UInt32(rowSamples / tiles.samplesPerPixel), UInt32(tiles.storedRows[index]))
    }

    /// Old values remain and are overwritten later.
    private static func reserve<Element>(_ count: Int, in memory: inout [Element], of element: Element) {
        if memory.count < count { memory = [Element](repeating: element, count: count) }
    }

    /// Both libraries use the same status numbers.
    private func check(_ status: Int32) throws(DecodeError) {
        if status == Int32(CJXLTileOutOfMemory) { throw .outOfMemory }
        guard status == Int32(CJXLTileDecoded) else { throw .damagedSamples }
    }
}
