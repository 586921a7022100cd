/// Reusable buffers for a scan: its entropy-coded bytes and two rows of samples.
final class ScanBuffers {
    private(set) var data = EntropyData()
    private var rows = UnsafeMutableBufferPointer<UInt16>(start: nil, count: 0)

    deinit { rows.deallocate() }

    /// Memory for two rows of samples, valid until the next call.
    func twoRows(of shape: LosslessJPEGShape) -> UnsafeMutablePointer<UInt16> {
        let count = 2 * shape.samplesPerRow
        if let start = rows.baseAddress, rows.count >= count { return start }
        rows.deallocate()
        let start = UnsafeMutablePointer<UInt16>.allocate(capacity: count)
        rows = UnsafeMutableBufferPointer(start: start, count: count)
        return start
    }

    /// Loads a scan's bytes, followed by enough zeros for one row of samples.
    func load(_ scan: LosslessJPEGScan) {
        let row = scan.shape.samplesPerRow * DifferenceReader.maxBytesPerSample
        data.load(scan.entropyCoded, slack: row + DifferenceReader.slack)
    }

    func stream(_ scan: LosslessJPEGScan) -> DifferenceStream {
        data.load(scan.entropyCoded, slack: DifferenceStream.slack)
        return DifferenceStream(data, scan.tables[0], count: scan.shape.samplesPerRow * scan.shape.height)
    }
}
