import CLibRaw
import PictureFormat
import Pixels

extension Frame {
    /// The samples by our own unpacker; nil for what is left to LibRaw.
    func ownImage(_ layout: SensorLayout, threads: Int) throws(DecodeError) -> SensorImage? {
        guard let stored = try storedSamples(layout),
            let plane = try SampleUnpacker(stored: stored, bytes: bytes).unpack(threads: threads)
        else { return nil }
        if let dng {
            guard dng.matchesDigest(plane, threads: threads) else { throw .otherSamples }
            if let table = dng.linearization { apply(table, to: plane) }
        } else {
            let status = raw.adopt(plane)
            guard status == .success else { throw unpackFailure(status) }
        }
        return try image(plane, layout, mayHaveHoles: stored.coding.keepsZeros)
    }

    /// Checks LibRaw's samples by the digest of a DNG that has one.
    func checkDigest() throws(DecodeError) {
        guard let dng, dng.hasPlainSamples, dng.hasDigest, case .single(let samples) = raw.samples else { return }
        let size = sensorSize
        let pitch = max(Int(raw.facts.rawPitchBytes) / 2, size.width)
        guard dng.matchesDigest(copied(samples, size, pitch: pitch, taking: 1, of: 1)) else { throw .otherSamples }
    }

    private func apply(_ table: [UInt16], to plane: borrowing Plane<UInt16>) {
        guard table.count == 65_536 else { return }
        table.withUnsafeBufferPointer { table in
            for y in 0..<plane.height {
                let row = plane.row(y)
                for x in 0..<plane.width { row[x] = table[Int(row[x])] }
            }
        }
    }

    /// The sensor's samples as LibRaw unpacked them, margins and all.
    func plainImage(_ layout: SensorLayout) throws(DecodeError) -> SensorImage {
        try image(copiedPlane(layout), layout, mayHaveHoles: true)
    }

    /// - Parameter mayHaveHoles: false where a hole in the file would not have become samples of zero.
    private func image(
        _ plane: consuming Plane<UInt16>, _ layout: SensorLayout, mayHaveHoles: Bool
    ) throws(DecodeError) -> SensorImage {
        let size = PixelSize(width: plane.width / layout.samplesPerPixel, height: plane.height)
        guard var facts = sensorFacts(layout, size: size) else { throw .contradiction }
        guard !mayHaveHoles || !facts.hasHoles(in: plane) else { throw .hole }
        if dng == nil { facts.lowerWhite(toClippingIn: plane) }
        facts.estimateMissingWhiteBalance(from: plane)
        return SensorImage(plane: plane, facts: facts)
    }

    private func copiedPlane(_ layout: SensorLayout) throws(DecodeError) -> Plane<UInt16> {
        // Unpacking can change the size: some decoders drop the margins.
        let size = sensorSize
        let pitch = Int(raw.facts.rawPitchBytes) / 2
        switch (raw.samples, layout) {
        case (.single(let samples), .bayer), (.single(let samples), .xTrans), (.single(let samples), .monochrome):
            return copied(samples, size, pitch: max(pitch, size.width), taking: 1, of: 1)
        case (.triple(let samples), .linearRGB):
            return copied(samples, size, pitch: max(pitch, size.width * 3), taking: 3, of: 3)
        case (.quadruple(let samples), .linearRGB):
            return copied(samples, size, pitch: max(pitch, size.width * 4), taking: 3, of: 4)
        case (.quadruple(let samples), .monochrome):
            return copied(samples, size, pitch: max(pitch, size.width * 4), taking: 1, of: 4)
        default: throw .unsupported("The file holds samples in a form that is not understood.")
        }
    }
}

/// Copies the first `taking` of each `of` samples.
private func copied(
    _ samples: UnsafePointer<UInt16>, _ size: PixelSize, pitch: Int, taking: Int, of step: Int
) -> Plane<UInt16> {
    let plane = Plane<UInt16>(width: size.width * taking, height: size.height)
    for y in 0..<size.height {
        let source = samples + y * pitch
        let row = plane.row(y)
        if taking == step {
            row.update(from: source, count: size.width * step)
        } else {
            for x in 0..<size.width {
                for sample in 0..<taking { row[x * taking + sample] = source[x * step + sample] }
            }
        }
    }
    return plane
}
