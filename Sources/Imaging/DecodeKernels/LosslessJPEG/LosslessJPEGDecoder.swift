/// Decodes lossless JPEGs (ITU-T T.81, process 14), one or six at a time, with reused buffers.
///
/// A difference must be read before the next one's start is known, so a single reader mostly waits. Six scans in one
/// loop do six times the work in about twice the time.
public struct LosslessJPEGDecoder: ~Copyable {
    /// Number of usual scans of one size that are decoded at once.
    public static let scansInStep = 6

    private let buffers = (0..<scansInStep).map { _ in ScanBuffers() }

    /// Creates a decoder with its own buffers, for one thread.
    public init() {}

    /// Decodes whole scans to their targets. Other threads see the samples after `StreamingStores.fence()`.
    ///
    /// - Parameter scans: at most `scansInStep`.
    /// - Returns: false if the data is damaged: an unknown code, a sample out of range, too few or too many bits. The
    ///   targets are then undefined.
    public mutating func decode(_ scans: [LosslessJPEGScan]) -> Bool {
        guard scans.count <= Self.scansInStep else { return false }
        if scans.count == 1, scans[0].isLongStream { return StreamedScan(scans[0], buffers[0]).decode() }
        var decodings: [ScanDecoding] = []
        for (scan, buffers) in zip(scans, buffers) {
            buffers.load(scan)
            decodings.append(ScanDecoding(scan, buffers))
        }
        if scans.count > 1, scans.allSatisfy({ $0.fastForm != nil && $0.hasSize(of: scans[0]) }) {
            // Copies of the last scan fill missing places at no cost.
            return decodeInStep((0..<Self.scansInStep).map { decodings[min($0, decodings.count - 1)] })
        }
        return decodings.indices.allSatisfy { decode(&decodings[$0]) }
    }

    private func decode(_ decoding: inout ScanDecoding) -> Bool {
        let (form, shape) = (decoding.scan.fastForm, decoding.scan.shape)
        for y in 0..<shape.height {
            if let form {
                let row = FastRowDecoder.read(decoding.fastRow(y), shape.samplesPerRow, form)
                guard decoding.finish(y, row) else { return false }
            } else {
                guard decoding.decodeGenerically(y) else { return false }
            }
        }
        return decoding.isSpent
    }

    /// - Parameter decodings: exactly six.
    private func decodeInStep(_ decodings: [ScanDecoding]) -> Bool {
        var (a, b, c, d, e, f) = (
            decodings[0], decodings[1], decodings[2], decodings[3], decodings[4], decodings[5]
        )
        let shape = a.scan.shape
        let alternates = decodings.contains { $0.scan.fastForm?.alternates == true }
        let form = FastRowDecoder.Form(components: shape.components, alternates: alternates)
        for y in 0..<shape.height {
            let rows = FastRowDecoder.read(
                (a.fastRow(y), b.fastRow(y), c.fastRow(y), d.fastRow(y), e.fastRow(y), f.fastRow(y)),
                shape.samplesPerRow, form)
            guard a.finish(y, rows.0), b.finish(y, rows.1), c.finish(y, rows.2), d.finish(y, rows.3),
                e.finish(y, rows.4), f.finish(y, rows.5)
            else {
                return false
            }
        }
        return a.isSpent && b.isSpent && c.isSpent && d.isSpent && e.isSpent && f.isSpent
    }
}
