internal import PixelKernels

/// Samples of 12 or 14 bits, packed from the highest bit of little-endian 32-bit words: uncompressed Olympus ORF and
/// Fujifilm RAF.
public struct WordSamples {
    private let bytes: UnsafeRawBufferPointer
    private let form: Form
    private let target: SliceTarget
    private let slice: PlaneSlice

    /// Samples and bytes after which a sample starts with a word again.
    private enum Form {
        case twelve, fourteen

        var samples: Int { self == .twelve ? 8 : 16 }
        var bytes: Int { self == .twelve ? 12 : 28 }
    }

    /// Factor of a row's number of samples; nil unless `bits` is 12 or 14.
    public static func samplesTogether(bits: Int) -> Int? { form(bits)?.samples }

    private static func form(_ bits: Int) -> Form? { bits == 12 ? .twelve : bits == 14 ? .fourteen : nil }

    /// Proves that rows are whole words inside the plane, and that there are bytes for all of them.
    ///
    /// - Parameters:
    ///   - bytes: must stay valid until `unpack()` returns.
    ///   - bits: bits per sample, 12 or 14.
    ///   - target: one slice of whole rows.
    public init?(_ bytes: UnsafeRawBufferPointer, bits: Int, target: SliceTarget) {
        guard let form = Self.form(bits), target.slices.count == 1, let slice = target.slices.first,
            slice.width % form.samples == 0, target.visibleCount(slice.width, x: slice.x) == slice.width,
            bytes.count >= slice.width / form.samples * form.bytes * slice.height
        else { return nil }
        self.bytes = bytes
        self.form = form
        self.target = target
        self.slice = slice
    }

    /// Writes all samples to the target.
    public func unpack() {
        switch form {
        case .twelve:
            unpackGroups { words, samples in Self.unpackEight(words, 0, bits: 12, wordCount: 3, to: samples) }
        case .fourteen:
            unpackGroups { words, samples in
                Self.unpackEight(words, 0, bits: 14, wordCount: 7, to: samples)
                Self.unpackEight(words, 8, bits: 14, wordCount: 7, to: samples)
            }
        }
    }

    @inline(__always)
    private func unpackGroups(_ unpackGroup: (UnsafeRawPointer, UnsafeMutablePointer<UInt16>) -> Void) {
        guard let start = bytes.baseAddress else { return }
        let count = slice.width / form.samples
        for y in 0..<slice.height {
            let row = target.row(slice.y + y) + slice.x
            let words = start + y * count * form.bytes
            for index in 0..<count { unpackGroup(words + index &* form.bytes, row + index &* form.samples) }
        }
    }

    /// A constant count, so that the compiler unrolls the loop.
    @inline(__always)
    private static func unpackEight(
        _ words: UnsafeRawPointer, _ first: Int, bits: Int, wordCount: Int, to samples: UnsafeMutablePointer<UInt16>
    ) {
        let mask = UInt64(1) &<< UInt64(bits) &- 1
        for sample in first..<first &+ 8 {
            let place = sample &* bits
            let index = place &>> 5
            // The last word holds the remainder.
            let both = word(words, index) &<< 32 | word(words, min(index &+ 1, wordCount &- 1))
            samples[sample] = UInt16(truncatingIfNeeded: both &>> UInt64(64 &- bits &- place & 31) & mask)
        }
    }

    @inline(__always)
    private static func word(_ words: UnsafeRawPointer, _ index: Int) -> UInt64 {
        UInt64(UInt32(littleEndian: words.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)))
    }
}
