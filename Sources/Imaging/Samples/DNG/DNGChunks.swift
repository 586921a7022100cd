public import PictureFormat
internal import Pixels

/// Division of a DNG's samples into chunks.
public enum DNGChunking: Hashable, Sendable {
    /// Rectangles of this size; those at the edges are padded.
    case tiles(PixelSize)
    /// Bands of this many rows; the last may be shorter.
    case strips(rows: Int)
}

/// Coding of a DNG's samples.
public enum DNGCompression: Hashable, Sendable {
    /// Uncompressed 16-bit samples, or packed samples of fewer bits.
    case none(bits: Int)
    /// Lossless JPEG (ITU-T T.81, process 14) with predictor 1 to 7.
    case losslessJPEG(predictor: Int)
}

/// Scope of the Huffman tables of lossless JPEG.
public enum DNGHuffmanTables: Hashable, Sendable {
    /// One table for all components of all chunks.
    case shared
    /// One table for each component of each chunk, as in Adobe's DNG SDK.
    case perComponent
}

struct DNGChunker {
    let chunking: DNGChunking
    let compression: DNGCompression
    let littleEndian: Bool
    /// Bits of a sample in lossless JPEG.
    let precision: Int
    var huffmanTables = DNGHuffmanTables.shared

    /// The chunks in file order: across, then down.
    func chunks(of plane: borrowing Plane<UInt16>, samplesPerPixel: Int) -> [[UInt8]] {
        let size = PixelSize(width: plane.width / samplesPerPixel, height: plane.height)
        let rects = rectangles(size)
        switch compression {
        case .none(let bits):
            var chunks: [[UInt8]] = []
            for rect in rects {
                chunks.append(
                    pack(cut(plane, rect, samplesPerPixel), rowSamples: rect.size.width * samplesPerPixel, bits))
            }
            return chunks
        case .losslessJPEG(let predictor):
            return losslessChunks(of: plane, rects, samplesPerPixel: samplesPerPixel, predictor: predictor)
        }
    }

    func rectangles(_ size: PixelSize) -> [PixelRect] {
        switch chunking {
        case .tiles(let tile):
            stride(from: 0, to: size.height, by: tile.height).flatMap { y in
                stride(from: 0, to: size.width, by: tile.width).map { PixelRect(x: $0, y: y, size: tile) }
            }
        case .strips(let rows):
            stride(from: 0, to: size.height, by: rows).map { y in
                let height = min(rows, size.height - y)
                return PixelRect(x: 0, y: y, size: PixelSize(width: size.width, height: height))
            }
        }
    }

    /// The samples of a rectangle, row after row, padded by repeating the last ones.
    private func cut(_ plane: borrowing Plane<UInt16>, _ rect: PixelRect, _ samplesPerPixel: Int) -> [UInt16] {
        let columns = rect.size.width * samplesPerPixel
        let left = rect.x * samplesPerPixel
        var samples = [UInt16](repeating: 0, count: columns * rect.size.height)
        for y in 0..<rect.size.height {
            let row = unsafe plane.row(min(rect.y + y, plane.height - 1))
            let inside = min(columns, plane.width - left)
            for x in 0..<inside { samples[y * columns + x] = unsafe row[left + x] }
            for x in inside..<max(inside, columns) {
                samples[y * columns + x] = unsafe row[plane.width - samplesPerPixel + x % samplesPerPixel]
            }
        }
        return samples
    }

    private func losslessChunks(
        of plane: borrowing Plane<UInt16>, _ rects: [PixelRect], samplesPerPixel: Int, predictor: Int
    ) -> [[UInt8]] {
        var frequencies = [Int](repeating: 0, count: HuffmanCode.symbols)
        if huffmanTables == .shared {
            for rect in rects {
                unsafe encoder(rect.size, samplesPerPixel, predictor).count(
                    cut(plane, rect, samplesPerPixel), into: &frequencies)
            }
        }
        let shared = HuffmanCode(frequencies: frequencies)
        var chunks: [[UInt8]] = []
        for rect in rects {
            let samples = cut(plane, rect, samplesPerPixel)
            let encoder = encoder(rect.size, samplesPerPixel, predictor)
            let tables =
                unsafe huffmanTables == .shared
                ? [shared] : encoder.frequenciesByComponent(samples).map { HuffmanCode(adobeFrequencies: $0) }
            unsafe chunks.append(encoder.encode(samples, tables: tables))
        }
        return chunks
    }

    /// An encoder that takes the samples of a colour filter array in pairs, so that equal colours are compared; an odd
    /// width prevents this.
    private func encoder(_ size: PixelSize, _ samplesPerPixel: Int, _ predictor: Int) -> LosslessJPEGEncoder {
        let components = samplesPerPixel > 1 ? samplesPerPixel : size.width % 2 == 0 ? 2 : 1
        let width = size.width * samplesPerPixel / components
        return LosslessJPEGEncoder(
            shape: .init(width: width, height: size.height, components: components), precision: precision,
            predictor: predictor)
    }

    private func pack(_ samples: [UInt16], rowSamples: Int, _ bits: Int) -> [UInt8] {
        if bits == 16 { return bytes(samples) }
        // Big-endian bits in either byte order; each row begins a new byte (DNG 1.4, chapter 2).
        var bytes: [UInt8] = []
        bytes.reserveCapacity((samples.count * bits + 7) / 8 + samples.count / rowSamples)
        for start in stride(from: 0, to: samples.count, by: rowSamples) {
            var held = 0
            var heldBits = 0
            for sample in samples[start..<start + rowSamples] {
                held = (held << bits | Int(sample) & ((1 << bits) - 1)) & 0xffff_ffff
                heldBits += bits
                while heldBits >= 8 {
                    heldBits -= 8
                    bytes.append(UInt8(truncatingIfNeeded: held >> heldBits))
                }
            }
            if heldBits > 0 { bytes.append(UInt8(truncatingIfNeeded: held << (8 - heldBits))) }
        }
        return bytes
    }

    private func bytes(_ samples: [UInt16]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: samples.count * 2) { buffer, count in
            for (index, sample) in samples.enumerated() {
                let ordered = littleEndian ? sample.littleEndian : sample.bigEndian
                unsafe buffer[index * 2] = UInt8(truncatingIfNeeded: ordered)
                unsafe buffer[index * 2 + 1] = UInt8(truncatingIfNeeded: ordered >> 8)
            }
            count = samples.count * 2
        }
    }
}
