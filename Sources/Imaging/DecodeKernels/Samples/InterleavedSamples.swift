public import PictureFormat
public import Pixels

/// Samples unpacked by another library: one to four per pixel, interleaved, in rows at a fixed distance.
public struct InterleavedSamples {
    private let start: UnsafePointer<UInt16>
    private let size: PixelSize
    private let samplesPerPixel: Int
    private let strideSamples: Int
    private let channels: Int

    /// Proves that all rows lie inside the buffer.
    ///
    /// - Parameters:
    ///   - samples: stay in place until the last call of `plane()`.
    ///   - size: in pixels.
    ///   - samplesPerPixel: 1 to 4.
    ///   - strideSamples: distance of rows.
    ///   - channels: number of samples to take from each pixel, starting with the first.
    public init?(
        _ samples: UnsafeBufferPointer<UInt16>, size: PixelSize, samplesPerPixel: Int, strideSamples: Int, channels: Int
    ) {
        let edges = 1...1 << 20
        guard let start = samples.baseAddress, edges.contains(size.width), edges.contains(size.height),
            (1...4).contains(samplesPerPixel), (1...samplesPerPixel).contains(channels),
            strideSamples >= size.width * samplesPerPixel, strideSamples <= 1 << 24,
            (size.height - 1) * strideSamples + size.width * samplesPerPixel <= samples.count
        else { return nil }
        self.start = start
        self.size = size
        self.samplesPerPixel = samplesPerPixel
        self.strideSamples = strideSamples
        self.channels = channels
    }

    /// Copies the channels, interleaved.
    public func plane() -> Plane<UInt16> {
        let plane = Plane<UInt16>(width: size.width * channels, height: size.height)
        let area = SampleRegion(whole: plane)
        for y in 0..<size.height {
            let source = start + y * strideSamples
            let row = area.row(y)
            switch (channels, samplesPerPixel) {
            case (3, 4): copy(source, to: row, channels: 3, of: 4)
            case let (channels, step) where channels == step: row.update(from: source, count: size.width * step)
            default: copy(source, to: row, channels: channels, of: samplesPerPixel)
            }
        }
        return plane
    }

    @inline(__always)
    private func copy(
        _ source: UnsafePointer<UInt16>, to row: UnsafeMutablePointer<UInt16>, channels: Int, of step: Int
    ) {
        for x in 0..<size.width {
            for channel in 0..<channels { row[x * channels + channel] = source[x * step + channel] }
        }
    }
}
