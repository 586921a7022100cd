import CJPEGTiles
import CJXLTiles
import DecodeKernels
import Glibc
import Metadata
import PictureFormat
import Pixels

/// A DNG's strips and tiles that are pictures of their own: JPEG XL, or JPEG with a loss.
struct PictureTiles: Hashable {
    enum Coding: Hashable {
        /// What each of 256 values stands for, by channel.
        case jpeg(tables: [[UInt16]])
        case jpegXL
    }

    let coding: Coding
    /// As the file states them.
    let bits: Int
    let samplesPerPixel: Int
    /// Rows of each chunk as they are stored.
    let storedRows: [Int]

    /// Nil for what is left to LibRaw, or not read.
    ///
    /// - Throws: `corrupt` where an opcode reaches beyond its field.
    init?(_ dng: DNGFacts, _ grid: DNGChunkGrid, samplesPerPixel: Int) throws(DecodeError) {
        guard samplesPerPixel == 1 || samplesPerPixel == 3, let size = dng.size,
            grid.chunkSize.pixelCount <= max(size.pixelCount, DeflatedRows.smallestLimit)
        else { return nil }
        switch dng.raw.compression {
        case TIFFCompression.jpegXL: coding = .jpegXL
        case TIFFCompression.lossyJPEG:
            // Tables that stand in a field of their own are left to LibRaw.
            guard dng.bitsPerSample == 8, !dng.raw.has(.jpegTables) else { return nil }
            if dng.hasLibRawCurves {
                guard let curves = try dng.polynomialCurves() else { return nil }
                coding = .jpeg(tables: curves)
            } else {
                coding = .jpeg(tables: [[UInt16]](repeating: (0..<256).map { UInt16($0) }, count: samplesPerPixel))
            }
        default: return nil
        }
        bits = dng.bitsPerSample
        self.samplesPerPixel = samplesPerPixel
        storedRows = grid.storedRows
    }

    /// The samples of a chunk as they are stored, row by row.
    ///
    /// - Parameters:
    ///   - index: the chunk's number.
    ///   - rowSamples: samples of a row.
    /// - Throws: `corrupt` or `outOfMemory`.
    func samples(
        _ bytes: UnsafeRawBufferPointer, index: Int, rowSamples: Int
    ) throws(DecodeError) -> [UInt16] {
        guard storedRows.indices.contains(index), rowSamples > 0, rowSamples % samplesPerPixel == 0 else {
            throw .contradiction
        }
        let (width, height) = (UInt32(rowSamples / samplesPerPixel), UInt32(storedRows[index]))
        let count = rowSamples * storedRows[index]
        let input = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
        switch coding {
        case .jpegXL:
            var samples = [UInt16](repeating: 0, count: count)
            let tile = CJXLTile(width: width, height: height, channels: UInt32(samplesPerPixel))
            try check(unsafe CJXLDecodeWhole(input, bytes.count, tile, &samples))
            // libjxl makes numbers of eight bits as large as those of sixteen.
            if bits == 8 {
                for index in samples.indices { samples[index] = UInt16((UInt32(samples[index]) + 128) / 257) }
            }
            return samples
        case .jpeg(let tables):
            var stored = [UInt8](repeating: 0, count: count)
            try check(
                unsafe CJPEGTileDecode(input, bytes.count, width, height, UInt32(samplesPerPixel), &stored))
            return MappedSamples.map(stored, by: tables)
        }
    }

    /// The numbers of a chunk of floating-point numbers.
    ///
    /// - Throws: `corrupt` or `outOfMemory`.
    func numbers(
        _ bytes: UnsafeRawBufferPointer, index: Int, rowSamples: Int
    ) throws(DecodeError) -> [Float] {
        guard storedRows.indices.contains(index), rowSamples > 0, rowSamples % samplesPerPixel == 0 else {
            throw .contradiction
        }
        var numbers = [Float](repeating: 0, count: rowSamples * storedRows[index])
        let tile = CJXLTile(
            width: UInt32(rowSamples / samplesPerPixel), height: UInt32(storedRows[index]),
            channels: UInt32(samplesPerPixel))
        let input = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
        try check(unsafe CJXLDecodeFloat(input, bytes.count, tile, &numbers))
        return numbers
    }

    /// The numbers of both libraries' results are the same.
    private func check(_ status: Int32) throws(DecodeError) {
        if status == Int32(CJXLTileOutOfMemory) { throw .outOfMemory }
        guard status == Int32(CJXLTileDecoded) else { throw .damagedSamples }
    }
}

extension DNGFacts {
    /// Whether LibRaw makes 16 bits of a lossy JPEG's 8 by the polynomials of its second list of opcodes, as Adobe writes them.
    var hasLibRawCurves: Bool {
        raw.compression == TIFFCompression.lossyJPEG && !isColourFilterArray && raw.has(.opcodeList2)
            && !raw.has(.linearizationTable)
    }

    /// What each of a lossy JPEG's 256 values stands for, by channel, as LibRaw counts it; nil where something else is asked for.
    func polynomialCurves() throws(DecodeError) -> [[UInt16]]? {
        guard samplesPerPixel == 3, let list = try DNGOpcodes(self).linear, list.opcodes.count == 3, let size else {
            return nil
        }
        var curves = [[UInt16]](repeating: [], count: 3)
        for opcode in list.opcodes {
            guard case .mapPolynomial(let area, let coefficients) = opcode.operation, area.planes.count == 1,
                curves.indices.contains(area.planes.lowerBound), curves[area.planes.lowerBound].isEmpty,
                coefficients.count <= 9, area.covers(activeArea(in: size).size)
            else { return nil }
            let curve = (0..<256).map { value -> Double in
                coefficients.enumerated().reduce(0) { $0 + $1.element * pow(Double(value) / 255, Double($1.offset)) }
            }
            // LibRaw cuts off fractions, and lets what is beyond 16 bits overflow.
            guard curve.allSatisfy({ (0..<65_536).contains($0 * 65_535) }) else { return nil }
            curves[area.planes.lowerBound] = curve.map { UInt16($0 * 65_535) }
        }
        return curves
    }
}

extension OpcodeArea {
    /// Whether every pixel of a picture is in the area.
    fileprivate func covers(_ size: PixelSize) -> Bool {
        let rect = lattice.rect
        return lattice.rowPitch == 1 && lattice.columnPitch == 1 && rect.x <= 0 && rect.y <= 0
            && rect.x + rect.size.width >= size.width && rect.y + rect.size.height >= size.height
    }
}
