import Metadata
import TIFF

/// Headers of a lossless JPEG up to its entropy-coded data (ITU-T T.81, annexes B and H).
struct LosslessJPEGHeader {
    let width: Int
    let height: Int
    let components: Int
    let precision: Int
    /// Predictor, 1 to 7 (T.81, table H.1).
    let predictor: Int
    /// For each component, sixteen counts of codes by length, then the categories in code order.
    let tables: [[UInt8]]
    let dataOffset: Int

    enum Failure: Error {
        /// The headers break the standard.
        case damaged
        /// Valid and lossless, but subsampled, shifted or with restarts: LibRaw has to decode it.
        case unfamiliar
        /// Another JPEG process, which neither Rawmill nor LibRaw decodes here.
        case notLossless
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard var segments = unsafe JPEGSegmentReader(bytes) else { throw .damaged }
        let reader = segments.bytes
        var frame: Frame?
        var tables: [UInt8: [UInt8]] = [:]
        while let segment = segments.next() {
            switch segment.marker {
            case .startOfLosslessFrame: frame = try Frame(reader, segment.payload)
            case .huffmanTables: try Self.addTables(reader, segment.payload, to: &tables)
            case .restartInterval:
                guard reader.uint16(segment.payload.lowerBound) == 0 else { throw .unfamiliar }
            case .startOfScan:
                guard let frame else { throw .damaged }
                let scan = try Scan(reader, segment.payload, frame: frame)
                (width, height, components) = (frame.width, frame.height, frame.components.count)
                precision = frame.precision
                predictor = scan.predictor
                self.tables = try scan.tables.map { number throws(Failure) in
                    guard let table = tables[number] else { throw .damaged }
                    return table
                }
                dataOffset = segment.payload.upperBound
                return
            case let marker where marker.isStartOfFrame || marker.isArithmeticOrReserved: throw .notLossless
            default: break
            }
        }
        throw .damaged
    }

    private struct Frame {
        let precision: Int
        let width: Int
        let height: Int
        let components: [UInt8]

        init(_ reader: ByteReader, _ payload: Range<Int>) throws(Failure) {
            let start = payload.lowerBound
            guard let precision = reader.uint8(start), let height = reader.uint16(start + 1),
                let width = reader.uint16(start + 3), let count = reader.uint8(start + 5),
                payload.count == 6 + 3 * Int(count), (2...16).contains(precision), width > 0, height > 0
            else { throw .damaged }
            guard (1...4).contains(count) else { throw .unfamiliar }
            var components: [UInt8] = []
            for index in 0..<Int(count) {
                guard let name = reader.uint8(start + 6 + 3 * index), let sampling = reader.uint8(start + 7 + 3 * index)
                else { throw .damaged }
                // Not subsampled in either direction.
                guard sampling == 0x11 else { throw .unfamiliar }
                components.append(name)
            }
            self.precision = Int(precision)
            self.width = Int(width)
            self.height = Int(height)
            self.components = components
        }
    }

    private struct Scan {
        let tables: [UInt8]
        let predictor: Int

        init(_ reader: ByteReader, _ payload: Range<Int>, frame: Frame) throws(Failure) {
            let start = payload.lowerBound
            guard let count = reader.uint8(start), payload.count == 4 + 2 * Int(count),
                let predictor = reader.uint8(payload.upperBound - 3), let shift = reader.uint8(payload.upperBound - 1)
            else { throw .damaged }
            // One scan per component is too rare to support.
            guard Int(count) == frame.components.count, (1...7).contains(predictor), shift & 15 == 0 else {
                throw .unfamiliar
            }
            var tables: [UInt8] = []
            for index in 0..<Int(count) {
                guard reader.uint8(start + 1 + 2 * index) == frame.components[index],
                    let selector = reader.uint8(start + 2 + 2 * index)
                else { throw .damaged }
                tables.append(selector >> 4)
            }
            self.tables = tables
            self.predictor = Int(predictor)
        }
    }

    private static func addTables(
        _ reader: ByteReader, _ payload: Range<Int>, to tables: inout [UInt8: [UInt8]]
    ) throws(Failure) {
        var offset = payload.lowerBound
        while offset < payload.upperBound {
            guard let number = reader.uint8(offset), offset + 17 <= payload.upperBound else { throw .damaged }
            let counts = (1...16).compactMap { reader.uint8(offset + $0) }
            let total = counts.reduce(0) { $0 + Int($1) }
            guard number < 4, total <= 17, offset + 17 + total <= payload.upperBound else { throw .damaged }
            let categories = (0..<total).compactMap { reader.uint8(offset + 17 + $0) }
            guard categories.allSatisfy({ $0 <= 16 }) else { throw .damaged }
            tables[number] = counts + categories
            offset += 17 + total
        }
    }
}

extension JPEGMarker {
    fileprivate var isArithmeticOrReserved: Bool { self == .arithmeticConditioning || self == .jpegExtension }
}
