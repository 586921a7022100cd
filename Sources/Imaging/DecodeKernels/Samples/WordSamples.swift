internal import PixelKernels

/// Samples of 12 or 14 bits, packed from the highest bit of little-endian words of 32 on: Olympus's ORF and Fujifilm's RAF
/// without compression.
public struct WordSamples {
    private let bytes: UnsafeRawBufferPointer
    private let form: Form
    private let target: SliceTarget
    private let slice: PlaneSlice

    /// How many samples are in how many bytes, until one begins with a word again.
    private enum Form {
        case twelve, fourteen

        var samples: Int { self == .twelve ? 8 : 16 }
        var bytes: Int { self == .twelve ? 12 : 28 }
    }

    /// How many samples of that many bits a row must have a multiple of; nil for other numbers than 12 and 14.
    public static func samplesTogether(bits: Int) -> Int? { form(bits)?.samples }

    private static func form(_ bits: Int) -> Form? { bits == 12 ? .twelve : bits == 14 ? .fourteen : nil }

    /// Proves that rows are whole words inside the plane, and that there are bytes for all of them.
    ///
    /// - Parameters:
    ///   - bytes: must stay in place until `unpack()` was called.
    ///   - bits: of a sample, 12 or 14.
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
        case .twelve: unpack(bits: 12, samples: 8, wordCount: 3)
        case .fourteen: unpack(bits: 14, samples: 16, wordCount: 7)
        }
    }

    @inline(__always)
    private func unpack(bits: Int, samples: Int, wordCount: Int) {
        guard let start = bytes.baseAddress else { return }
        let count = slice.width / samples
        let mask = UInt64(1) &<< UInt64(bits) &- 1
        for y in 0..<slice.height {
            let row = target.row(slice.y + y) + slice.x
            let rowWords = start + y * count * wordCount * 4
            for index in 0..<count {
                let words = rowWords + index &* wordCount &* 4
                let target = row + index &* samples
                for sample in 0..<samples {
                    let place = sample &* bits
                    let word = place &>> 5
                    // The last word has whatever is left.
                    let first = Self.word(words, word)
                    let second = Self.word(words, min(word &+ 1, wordCount &- 1))
                    let both = first &<< 32 | second
                    target[sample] = UInt16(truncatingIfNeeded: both &>> UInt64(64 &- bits &- place & 31) & mask)
                }
            }
        }
    }

    @inline(__always)
    private static func word(_ words: UnsafeRawPointer, _ index: Int) -> UInt64 {
        UInt64(UInt32(littleEndian: words.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)))
    }
}
