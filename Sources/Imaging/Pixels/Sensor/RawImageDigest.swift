internal import Concurrency
internal import Memory
internal import PictureFormat
internal import PixelKernels
internal import Synchronization

extension Plane where Sample == UInt16 {
    /// Digest of raw samples for a DNG's NewRawImageDigest (Adobe, "Digital Negative Specification 1.4", 2012): MD5 of
    /// the digests of all tiles of 256 × 256 pixels, each tile's colours one after the other.
    ///
    /// - Parameters:
    ///   - samplesPerPixel: interleaved colours of a pixel.
    ///   - asBytes: true for samples of at most eight bits, which are hashed as bytes.
    ///   - threads: maximum number of threads.
    /// - Returns: 16 bytes.
    public func rawImageDigest(samplesPerPixel: Int, asBytes: Bool = false, threads: Int = 1) -> [UInt8] {
        let edge = 256
        let columns = width / samplesPerPixel
        var tiles: [PixelRect] = []
        for y in stride(from: 0, to: height, by: edge) {
            for x in stride(from: 0, to: columns, by: edge) {
                let size = PixelSize(width: min(edge, columns - x), height: min(edge, height - y))
                tiles.append(PixelRect(x: x, y: y, size: size))
            }
        }
        // Sixteen tiles of one size are digested at once.
        let groups = Dictionary(grouping: tiles.indices, by: { tiles[$0].size }).values.flatMap { indices in
            stride(from: 0, to: indices.count, by: MD5Lanes.count).map { Array(indices[$0...].prefix(MD5Lanes.count)) }
        }
        let view = PlaneView(self)
        let shares = min(max(threads, 1), groups.count)
        let digests = Mutex([[UInt8]](repeating: [], count: tiles.count))
        Parallel.forEach(shares) { [tiles] share in
            for group in groups[groups.count * share / shares..<groups.count * (share + 1) / shares] {
                let found = view.digests(of: group.map { tiles[$0] }, samplesPerPixel, asBytes)
                digests.withLock { for (lane, index) in group.enumerated() { $0[index] = found[lane] } }
            }
        }
        return md5(digests.withLock { $0.flatMap { $0 } })
    }
}

/// A plane's samples for several readers. Valid while the plane lives.
///
/// `@unchecked Sendable`: all users only read, and the plane does not change meanwhile.
@safe private struct PlaneView: @unchecked Sendable {
    private let first: UnsafePointer<UInt16>
    private let strideSamples: Int

    init(_ plane: borrowing Plane<UInt16>) {
        unsafe first = unsafe UnsafePointer(plane.row(0))
        strideSamples = plane.strideSamples
    }

    private func row(_ y: Int) -> UnsafePointer<UInt16> { unsafe first + y * strideSamples }

    /// - Parameter tiles: one to sixteen, of one size.
    func digests(of tiles: [PixelRect], _ samplesPerPixel: Int, _ asBytes: Bool) -> [[UInt8]] {
        let size = tiles[0].size
        // Unused lanes repeat the last tile.
        let lanes = (0..<MD5Lanes.count).map { min($0, tiles.count - 1) }
        if samplesPerPixel == 1, !asBytes, size.width % 32 == 0, UInt16(1).littleEndian == 1 {
            // The plane holds the samples in the hashed form.
            let starts = unsafe lanes.map { unsafe UnsafeRawPointer(row(tiles[$0].y) + tiles[$0].x) }
            return unsafe MD5Lanes.digests(
                starts.map { unsafe $0.assumingMemoryBound(to: UInt8.self) }, rows: size.height,
                rowBytes: size.width * 2,
                strideBytes: strideSamples * 2)
        }
        let length = size.pixelCount * samplesPerPixel * (asBytes ? 1 : 2)
        let memory = MemoryBlock(byteCount: length * tiles.count)
        guard let start = unsafe memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return [] }
        for (lane, tile) in tiles.enumerated() {
            unsafe copy(tile, samplesPerPixel, asBytes, to: start + lane * length)
        }
        return unsafe MD5Lanes.digests(lanes.map { unsafe UnsafePointer(start + $0 * length) }, length: length)
    }

    /// Copies a tile in hashing order: one colour after the other, little-endian.
    private func copy(
        _ tile: PixelRect, _ samplesPerPixel: Int, _ asBytes: Bool, to target: UnsafeMutablePointer<UInt8>
    ) {
        let (columns, rows) = (tile.size.width, tile.size.height)
        if samplesPerPixel == 3, !asBytes, UInt16(1).littleEndian == 1 {
            let target = unsafe UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt16.self)
            for y in 0..<rows {
                let first = unsafe target + y * columns
                let (second, third) = unsafe (first + rows * columns, first + 2 * rows * columns)
                unsafe PixelRows.separate(row(tile.y + y) + 3 * tile.x, count: columns, into: first, second, third)
            }
            return
        }
        let bytes = asBytes ? 1 : 2
        for colour in 0..<samplesPerPixel {
            for y in 0..<rows {
                let row = unsafe row(tile.y + y) + tile.x * samplesPerPixel + colour
                let copy = unsafe UnsafeMutableRawPointer(target + (colour * rows + y) * columns * bytes)
                if asBytes {
                    for x in 0..<columns {
                        unsafe copy.storeBytes(
                            of: UInt8(truncatingIfNeeded: row[x &* samplesPerPixel]), toByteOffset: x, as: UInt8.self)
                    }
                } else {
                    for x in 0..<columns {
                        unsafe copy.storeBytes(
                            of: row[x &* samplesPerPixel].littleEndian, toByteOffset: 2 &* x, as: UInt16.self)
                    }
                }
            }
        }
    }
}

func md5(_ message: [UInt8]) -> [UInt8] {
    unsafe message.withUnsafeBufferPointer { buffer in
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { empty in
            guard let start = unsafe buffer.baseAddress ?? empty.baseAddress.map({ unsafe UnsafePointer($0) }) else {
                return []
            }
            return unsafe MD5Lanes.digests(
                [UnsafePointer<UInt8>](repeating: start, count: MD5Lanes.count), length: message.count)[0]
        }
    }
}
