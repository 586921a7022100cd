/// Decodes lossless JPEGs (ITU-T T.81, process 14), one after another or four at once, with the same buffers.
///
/// Each difference must be read before it is known where the next one begins, so that a processor mostly waits. Four
/// scans in one loop give it four times as much to do in the same time.
struct LosslessJPEGDecoder: ~Copyable {
    /// Usual scans of one size that are decoded at once.
    static let scansInStep = 4

    private let buffers = (0..<scansInStep).map { _ in ScanBuffers() }
    private var shelf: TableShelf

    /// - Parameter sixteenHasBits: true for DNG before version 1.1.
    init(sixteenHasBits: Bool) { shelf = TableShelf(sixteenHasBits: sixteenHasBits) }

    /// Decodes whole scans, at most `scansInStep`.
    /// - Returns: false where the data is damaged: an unknown code, a sample out of range, too few or too many bits.
    mutating func decode(_ scans: [LosslessScan]) -> Bool {
        var open: [OpenScan] = []
        for (scan, buffers) in zip(scans, buffers) {
            guard buffers.load(scan, tables: &shelf) else { return false }
            open.append(OpenScan(scan, buffers))
        }
        if scans.count == Self.scansInStep, scans.allSatisfy({ $0.isUsual && $0.hasSize(of: scans[0]) }) {
            return decodeInStep(&open)
        }
        return open.indices.allSatisfy { decode(&open[$0]) }
    }

    private func decode(_ open: inout OpenScan) -> Bool {
        let header = open.scan.header
        for y in 0..<header.height {
            guard open.scan.isUsual else {
                guard open.decodeWithCare(y) else { return false }
                continue
            }
            let row = UsualRow.read(open.usualRow(y), pairs: header.samplesPerRow / 2)
            guard open.finish(y, row) else { return false }
        }
        return open.isSpent
    }

    private func decodeInStep(_ open: inout [OpenScan]) -> Bool {
        let header = open[0].scan.header
        for y in 0..<header.height {
            let begun = (open[0].usualRow(y), open[1].usualRow(y), open[2].usualRow(y), open[3].usualRow(y))
            let rows = UsualRow.read(begun, pairs: header.samplesPerRow / 2)
            guard open[0].finish(y, rows.0), open[1].finish(y, rows.1), open[2].finish(y, rows.2),
                open[3].finish(y, rows.3)
            else { return false }
        }
        return open.allSatisfy(\.isSpent)
    }
}
