import Glibc
import PictureFormat

extension LibRawFile {
    /// Whether a second reading of the same frame gave the same samples. Memory that LibRaw did not write differs
    /// between readings.
    func hasSameSamples(as second: LibRawFile) -> Bool {
        let result = withSamples { samples -> Bool? in
            second.withSamples { again -> Bool? in
                guard samples.size == again.size, samples.samplesPerPixel == again.samplesPerPixel,
                    samples.strideSamples == again.strideSamples
                else { return false }
                return samples.samplesPerPixel == 4 ? samples.hasSameColours(as: again) : samples.isEqual(to: again)
            }
        }
        return result ?? false
    }
}

extension LibRawSamples {
    fileprivate func isEqual(to other: LibRawSamples) -> Bool {
        guard unsafe samples.count == other.samples.count, let start = unsafe samples.baseAddress,
            let otherStart = unsafe other.samples.baseAddress
        else { return false }
        let byteCount = size.width * samplesPerPixel * MemoryLayout<UInt16>.stride
        return (0..<size.height).allSatisfy { y in
            unsafe memcmp(start + y * strideSamples, otherStart + y * strideSamples, byteCount) == 0
        }
    }

    /// LibRaw clears four samples per pixel, and its decoders rely on this. So unwritten pixels were zero the first
    /// time and all had the other value the second time.
    fileprivate func hasSameColours(as other: LibRawSamples) -> Bool {
        (0..<size.height).allSatisfy { y in
            (0..<size.width).allSatisfy { x in
                let start = y * strideSamples + x * 4
                guard unsafe start + 2 < min(samples.count, other.samples.count) else { return false }
                let isZero = unsafe samples[start] == 0 && samples[start + 1] == 0 && samples[start + 2] == 0
                guard isZero else { return true }
                let value = unsafe other.samples[start]
                return unsafe value == 0 || other.samples[start + 1] != value || other.samples[start + 2] != value
            }
        }
    }
}
