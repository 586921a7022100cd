/// Decodes lossless JPEGs (ITU-T T.81, process 14), one after another or six at once, with the same buffers.
///
/// Each difference must be read before it is known where the next one begins, so that a processor mostly waits. Six
/// scans in one loop give it six times as much to do in hardly twice the time.
struct LosslessJPEGDecoder: ~Copyable {
    /// Usual scans of one size that are decoded at once.
    static let scansInStep = 6

    private let buffers = (0..<scansInStep).map { _ in ScanBuffers() }
    private var shelf: HuffmanTableCache

    /// - Parameter sixteenHasBits: true for DNG before version 1.1.
    init(sixteenHasBits: Bool) { shelf = HuffmanTableCache(sixteenHasBits: sixteenHasBits) }

    /// Room for two rows of the scan that will be number `slot`, where they cannot go straight to the plane. Valid until
    /// asked for again.
    func twoRows(of header: LosslessJPEGHeader, slot: Int) -> UnsafeMutablePointer<UInt16> {
        buffers[slot].rows(2 * header.samplesPerRow)
    }

    /// Decodes whole scans, at most `scansInStep`.
    /// - Returns: false where the data is damaged: an unknown code, a sample out of range, too few or too many bits.
    mutating func decode(_ scans: [LosslessScan]) -> Bool {
        var open: [OpenScan] = []
        for (scan, buffers) in zip(scans, buffers) {
            guard buffers.load(scan, tables: &shelf) else { return false }
            open.append(OpenScan(scan, buffers))
        }
        if scans.count > 1, scans.allSatisfy({ $0.isUsual && $0.hasSize(of: scans[0]) }) {
            // Where there are too few, the last one is decoded again beside itself, which costs no time.
            return decodeInStep((0..<Self.scansInStep).map { open[min($0, open.count - 1)] })
        }
        return open.indices.allSatisfy { decode(&open[$0]) }
    }

    private func decode(_ open: inout OpenScan) -> Bool {
        let (isUsual, header) = (open.scan.isUsual, open.scan.header)
        for y in 0..<header.height {
            if isUsual {
                let row = FastRowDecoder.read(open.usualRow(y), header.samplesPerRow, components: header.components)
                guard open.finish(y, row) else { return false }
            } else {
                guard open.decodeWithCare(y) else { return false }
            }
        }
        return open.isSpent
    }

    private func decodeInStep(_ open: [OpenScan]) -> Bool {
        var (a, b, c, d, e, f) = (open[0], open[1], open[2], open[3], open[4], open[5])
        let header = a.scan.header
        for y in 0..<header.height {
            let begun = (a.usualRow(y), b.usualRow(y), c.usualRow(y), d.usualRow(y), e.usualRow(y), f.usualRow(y))
            let rows = FastRowDecoder.read(begun, header.samplesPerRow, components: header.components)
            guard a.finish(y, rows.0), b.finish(y, rows.1), c.finish(y, rows.2), d.finish(y, rows.3),
                e.finish(y, rows.4), f.finish(y, rows.5)
            else {
                return false
            }
        }
        return a.isSpent && b.isSpent && c.isSpent && d.isSpent && e.isSpent && f.isSpent
    }
}
