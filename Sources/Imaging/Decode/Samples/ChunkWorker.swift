import DecodeKernels
import TIFF
import PixelKernels
import Pixels

/// Unpacks chunks on one thread, with reused buffers.
struct ChunkWorker: ~Copyable {
    static let maxChunks = LosslessJPEGDecoder.scansInStep

    private let coding: StoredSamples.Coding
    private let file: ByteReader
    private let area: SampleArea
    private var decoder = LosslessJPEGDecoder()
    private var tables: HuffmanTableCache
    private var inflater: ChunkInflater?
    private var pictures: PictureTileDecoder?

    init(_ coding: StoredSamples.Coding, file: UnsafeRawBufferPointer, area: SampleArea) {
        self.coding = coding
        self.file = unsafe ByteReader(file, .bigEndian)
        self.area = area
        tables = HuffmanTableCache(sixteenHasBits: coding == .losslessJPEG(sixteenHasBits: true))
    }

    mutating func unpack(_ chunks: ArraySlice<StoredSamples.Chunk>) -> ChunkFailure? {
        defer { StreamingStores.fence() }
        do throws(DecodeError) {
            switch coding {
            case .losslessJPEG: guard try unpackLossless(chunks) else { return .unfamiliar }
            case .plain(let bits, let isLittleEndian):
                try unsafe unpackEach(chunks, failing: .cut) { bytes, target in
                    unsafe PackedSamples(bytes, bits: bits, isLittleEndian: isLittleEndian, target: target)
                        .map { $0.unpack() } != nil
                }
            case .deflated(let rows):
                let inflater = try makeInflater()
                for index in chunks.indices { try unpackDeflated(chunks[index], index, rows, inflater) }
            case .pictures(let tiles):
                let pictures = pictures ?? PictureTileDecoder(tiles)
                self.pictures = pictures
                for index in chunks.indices {
                    let (bytes, target) = try unsafe opened(chunks[index])
                    let rowSamples = chunks[index].slices[0].width
                    try unsafe pictures.unpack(bytes, index: index, rowSamples: rowSamples, to: target)
                }
            case .sonyBlocks(let curve):
                try unsafe unpackEach(chunks, failing: .cut) { bytes, target in
                    unsafe SonyBlockSamples(bytes, curve: curve, target: target).map { $0.unpack() } != nil
                }
            case .rowPairs(let coding):
                let tables = coding.tables
                try unsafe unpackEach(chunks) { bytes, target in
                    unsafe RowPairSamples(
                        bytes, tables: tables, split: coding.split, start: coding.start, limit: coding.limit,
                        curve: coding.curve, target: target)?.unpack() == true
                }
            case .olympus(let visible):
                try unsafe unpackEach(chunks) { bytes, target in
                    unsafe OlympusSamples(bytes, visible: visible, target: target)?.unpack() == true
                }
            case .words(let bits):
                try unsafe unpackEach(chunks, failing: .cut) { bytes, target in
                    unsafe WordSamples(bytes, bits: bits, target: target).map { $0.unpack() } != nil
                }
            case .crx(let tiles, let bits, let places):
                for index in chunks.indices {
                    let (bytes, target) = try unsafe opened(chunks[index])
                    guard tiles.indices.contains(index),
                        unsafe CRXSamples(bytes, tile: tiles[index], bits: bits, places: places, target: target)?
                            .unpack() == true
                    else { return .unfamiliar }
                }
            case .fujifilm(let coding):
                let strips = try unsafe chunks.map { chunk throws(DecodeError) in try unsafe opened(chunk) }
                guard unsafe FujifilmSamples(strips, coding: coding)?.unpack() == true else { throw .damagedSamples }
            case .groups(let coding, let isInBlocks, let visible):
                try unsafe unpackEach(chunks) { bytes, target in
                    unsafe GroupSamples(
                        bytes, coding: coding, isInBlocks: isInBlocks, visible: visible, target: target)?
                        .unpack() == true
                }
            }
            return nil
        } catch {
            return .failed(error)
        }
    }

    private func unpackEach(
        _ chunks: ArraySlice<StoredSamples.Chunk>, failing error: DecodeError = .damagedSamples,
        _ unpack: (UnsafeRawBufferPointer, SliceTarget) -> Bool
    ) throws(DecodeError) {
        for chunk in chunks {
            let (bytes, target) = try unsafe opened(chunk)
            guard unsafe unpack(bytes, target) else { throw error }
        }
    }

    private func opened(
        _ chunk: StoredSamples.Chunk
    ) throws(DecodeError) -> (bytes: UnsafeRawBufferPointer, target: SliceTarget) {
        guard let bytes = unsafe file.slice(chunk.bytes) else { throw .cut }
        guard let target = SliceTarget(chunk.slices, in: area) else { throw .damagedSamples }
        return unsafe (bytes, target)
    }

    private mutating func makeInflater() throws(DecodeError) -> ChunkInflater {
        if let inflater { return inflater }
        let made = try ChunkInflater()
        inflater = made
        return made
    }

    private func unpackDeflated(
        _ chunk: StoredSamples.Chunk, _ index: Int, _ rows: DeflatedRows, _ inflater: ChunkInflater
    ) throws(DecodeError) {
        let (bytes, target) = try unsafe opened(chunk)
        try unsafe inflater.withRows(bytes, rows, index: index, rowSamples: chunk.slices[0].width) {
            (inflated) throws(DecodeError) in
            guard
                let samples = unsafe PackedSamples(
                    inflated.bytes, bits: rows.bits, isLittleEndian: rows.isLittleEndian, target: target)
            else { throw .damagedSamples }
            samples.unpack()
        }
    }

    /// False if LibRaw has to decode the chunks.
    private mutating func unpackLossless(_ chunks: ArraySlice<StoredSamples.Chunk>) throws(DecodeError) -> Bool {
        var scans: [LosslessJPEGScan] = []
        for chunk in chunks {
            let (bytes, target) = try unsafe opened(chunk)
            guard let header = try unsafe header(of: bytes) else { return false }
            unsafe scans.append(try scan(bytes, header, target))
        }
        guard decoder.decode(scans) else { throw .damagedSamples }
        return true
    }

    /// Nil if LibRaw has to decode the chunk.
    private func header(of bytes: UnsafeRawBufferPointer) throws(DecodeError) -> LosslessJPEGHeader? {
        do throws(LosslessJPEGHeader.Failure) {
            return try unsafe LosslessJPEGHeader(bytes)
        } catch .unfamiliar {
            return nil
        } catch .notLossless {
            throw .unknownCoding
        } catch {
            throw .damagedSamples
        }
    }

    private mutating func scan(
        _ bytes: UnsafeRawBufferPointer, _ header: LosslessJPEGHeader, _ target: SliceTarget
    ) throws(DecodeError) -> LosslessJPEGScan {
        let entropyCoded = unsafe UnsafeRawBufferPointer(rebasing: bytes[header.dataOffset...])
        guard
            let shape = LosslessJPEGShape(
                width: header.width, height: header.height, components: header.components,
                precision: header.precision, predictor: header.predictor),
            let tables = tables.tables(header.tables),
            let scan = unsafe LosslessJPEGScan(shape, entropyCoded: entropyCoded, tables: tables, target: target)
        else { throw .damagedSamples }
        return scan
    }
}

/// Huffman tables by definition. Scans of one file mostly share a table and its cache lines.
struct HuffmanTableCache {
    private static let maxTables = 8

    private let sixteenHasBits: Bool
    private var entries: [(definition: [UInt8], table: DifferenceTable)] = []

    init(sixteenHasBits: Bool) { self.sixteenHasBits = sixteenHasBits }

    mutating func tables(_ definitions: [[UInt8]]) -> [DifferenceTable]? {
        var tables: [DifferenceTable] = []
        for definition in definitions {
            guard let table = table(definition) else { return nil }
            tables.append(table)
        }
        return tables
    }

    private mutating func table(_ definition: [UInt8]) -> DifferenceTable? {
        if let known = entries.first(where: { $0.definition == definition }) { return known.table }
        guard let table = DifferenceTable(definition, sixteenHasBits: sixteenHasBits) else { return nil }
        if entries.count == Self.maxTables { entries.removeFirst() }
        entries.append((definition, table))
        return table
    }
}
