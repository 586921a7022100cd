import Glibc
import TIFF
import PictureFormat
import Pixels

/// A DNG's strips and tiles that are complete JPEG XL or lossy JPEG pictures.
struct PictureTiles: Hashable {
    enum Coding: Hashable {
        /// The sample for each of 256 values, in one table or one per channel. Empty for linear values.
        case jpeg(tables: [[UInt16]])
        case jpegXL
    }

    let coding: Coding
    /// As stated in the file.
    let bits: Int
    let samplesPerPixel: Int
    let storedRows: [Int]

    /// Reads the layout; nil if LibRaw has to decode the tiles or they are unsupported.
    ///
    /// - Throws: `corrupt` if an opcode exceeds its field.
    init?(_ dng: DNGFacts, _ grid: DNGChunkGrid, samplesPerPixel: Int) throws(DecodeError) {
        guard samplesPerPixel == 1 || samplesPerPixel == 3, let size = dng.size,
            grid.chunkSize.pixelCount <= max(size.pixelCount, DeflatedRows.smallestLimit)
        else { return nil }
        switch dng.raw.compression {
        case TIFFCompression.jpegXL: coding = .jpegXL
        case TIFFCompression.lossyJPEG:
            // LibRaw has to decode tiles with JPEG tables in a separate field.
            guard dng.bitsPerSample == 8, !dng.raw.has(.jpegTables) else { return nil }
            if dng.hasLibRawCurves {
                guard let curves = try dng.polynomialCurves() else { return nil }
                coding = .jpeg(tables: curves)
            } else {
                coding = .jpeg(tables: dng.directLinearization.map { [Array($0.prefix(256))] } ?? [])
            }
        default: return nil
        }
        bits = dng.bitsPerSample
        self.samplesPerPixel = samplesPerPixel
        storedRows = grid.storedRows
    }
}

extension DNGFacts {
    /// The linearization table to apply while unpacking: that of a lossy JPEG without OpcodeList1.
    var directLinearization: [UInt16]? {
        raw.compression == TIFFCompression.lossyJPEG && !raw.has(.opcodeList1) ? linearization : nil
    }

    /// Whether LibRaw expands a lossy JPEG from 8 to 16 bits with polynomials of OpcodeList2, as Adobe writes them.
    var hasLibRawCurves: Bool {
        raw.compression == TIFFCompression.lossyJPEG && !isColourFilterArray && raw.has(.opcodeList2)
            && !raw.has(.linearizationTable)
    }

    /// The sample for each of a lossy JPEG's 256 values, by channel, computed as in LibRaw; nil for other opcodes.
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
            // LibRaw truncates fractions and overflows above 16 bits.
            guard curve.allSatisfy({ (0..<65_536).contains($0 * 65_535) }) else { return nil }
            curves[area.planes.lowerBound] = curve.map { UInt16($0 * 65_535) }
        }
        return curves
    }
}

extension OpcodeArea {
    fileprivate func covers(_ size: PixelSize) -> Bool {
        let rect = lattice.rect
        return lattice.rowPitch == 1 && lattice.columnPitch == 1 && rect.x <= 0 && rect.y <= 0
            && rect.x + rect.size.width >= size.width && rect.y + rect.size.height >= size.height
    }
}
