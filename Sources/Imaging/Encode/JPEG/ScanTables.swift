internal import CBaselineJPEG
internal import Metadata
internal import PictureFormat

/// Quantisation and Huffman tables of luma and chroma, read from a head that libjpeg-turbo wrote.
@safe final class ScanTables {
    /// Luma, then chroma.
    private let tables: UnsafeMutablePointer<RawmillJPEGTables>

    /// Place in the block of each coefficient, in zigzag order (ITU-T T.81, figure A.6).
    private static let naturalPlaces: [Int] = {
        (0..<15).flatMap { sum in
            let rows = Array(max(0, sum - 7)...min(sum, 7))
            return (sum % 2 == 0 ? rows.reversed() : rows).map { row in 8 * row + sum - row }
        }
    }()

    /// Nil unless the head has both kinds of tables for luma (0) and chroma (1).
    init?(_ jpeg: UnsafeRawBufferPointer) {
        guard var reader = unsafe JPEGSegmentReader(jpeg) else { return nil }
        unsafe tables = .allocate(capacity: 2)
        unsafe tables.initialize(repeating: RawmillJPEGTables(), count: 2)
        var found: Set<Int> = []
        while let segment = reader.next() {
            var payload = unsafe Array(jpeg[segment.payload])[...]
            switch segment.marker {
            case .quantisationTables:
                while let number = payload.popFirst() {
                    guard number < 2, payload.count >= 64 else { return nil }
                    for (place, step) in zip(Self.naturalPlaces, payload.prefix(64)) {
                        unsafe rawmill_jpeg_set_divisor(tables + Int(number), place, 8 * UInt32(max(step, 1)))
                    }
                    payload.removeFirst(64)
                    found.insert(Int(number))
                }
            case .huffmanTables:
                while let kind = payload.popFirst() {
                    guard kind & 15 < 2, kind >> 4 < 2,
                        unsafe readCodes(&payload, tables + Int(kind & 15), isMean: kind < 16)
                    else { return nil }
                    found.insert(2 + Int(kind & 15) + 2 * Int(kind >> 4))
                }
            default: break
            }
        }
        guard found.count == 6 else { return nil }
    }

    deinit { unsafe tables.deallocate() }

    /// Reads codes in ascending order of length (ITU-T T.81, annex C).
    private func readCodes(
        _ payload: inout ArraySlice<UInt8>, _ tables: UnsafeMutablePointer<RawmillJPEGTables>, isMean: Bool
    ) -> Bool {
        let counts = Array(payload.prefix(16))
        payload = payload.dropFirst(16)
        guard counts.count == 16, counts.reduce(0, { $0 + Int($1) }) <= payload.count else { return false }
        var code: UInt32 = 0
        for (index, count) in counts.enumerated() {
            for symbol in payload.prefix(Int(count)) {
                guard symbol & 15 <= 11, !isMean || symbol <= 11 else { return false }
                unsafe rawmill_jpeg_set_code(tables, isMean, symbol, code, UInt32(index + 1))
                code += 1
            }
            payload = payload.dropFirst(Int(count))
            code <<= 1
        }
        return true
    }

    /// Codes a picture.
    ///
    /// - Parameters:
    ///   - path: must be supported by this processor, and not be `turbo`.
    ///   - planes: at least one pixel.
    func code(_ planes: JPEGPlanes, _ path: JPEGPath, into output: UnsafeMutableRawBufferPointer) -> Int? {
        guard planes.size.width > 0, planes.size.height > 0, let start = output.baseAddress else { return nil }
        var scan = scan(planes)
        let target = unsafe start.assumingMemoryBound(to: UInt8.self)
        let byteCount =
            unsafe path == .avx512
            ? rawmill_jpeg_code_avx512(&scan, target, output.count)
            : rawmill_jpeg_code_avx2(&scan, target, output.count)
        return byteCount > 0 ? byteCount : nil
    }

    private func scan(_ planes: JPEGPlanes) -> RawmillJPEGScan {
        let across = planes.subsampling == .full ? 1 : 2
        let down = planes.subsampling == .quarter ? 2 : 1
        let size = planes.size
        /// Number of groups of `size` pixels, rounded up.
        func groups(_ pixels: Int, _ size: Int) -> Int { (pixels + size - 1) / size }
        let (width, height) = (groups(size.width, across), groups(size.height, down))
        let (columns, rows) = (groups(size.width, 8 * across), groups(size.height, 8 * down))
        let luma = unsafe RawmillJPEGComponent(
            samples: planes.luma, stride: planes.lumaStride, width: width * across, height: height * down,
            columns: groups(size.width, 8), rows: groups(size.height, 8), across: across, down: down, tables: tables)
        var blue = unsafe RawmillJPEGComponent(
            samples: planes.cb, stride: planes.chromaStride, width: width, height: height, columns: columns, rows: rows,
            across: 1, down: 1, tables: tables + 1)
        let first = unsafe blue
        unsafe blue.samples = UnsafePointer(planes.cr)
        return unsafe RawmillJPEGScan(components: (luma, first, blue), unitColumns: columns, unitRows: rows)
    }
}
