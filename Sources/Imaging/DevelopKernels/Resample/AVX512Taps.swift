internal import CAVX512

/// Taps of an axis in the layout of the AVX-512 filter, which computes up to sixteen outputs at once and selects each
/// tap from 32 inputs.
struct AVX512Taps {
    private static let inputs = 32
    private static let maxAtOnce = 16
    /// Inputs that may be read beyond the last one.
    static let padding = inputs - 1

    /// First input of each output, padded with copies of the last.
    private let starts: [Int32]
    /// By tap, then by output.
    private let weights: [Float]
    private let count: Int
    /// Number of outputs, even, that together read at most 32 inputs from any start.
    private let atOnce: Int

    /// Nil if two outputs read more than 32 inputs.
    init?(_ axis: ResampleAxis) {
        let atOnce = stride(from: Self.maxAtOnce, to: 0, by: -2).first { atOnce in
            axis.starts.indices.allSatisfy { first in
                let last = min(first + atOnce, axis.output) - 1
                return Int(axis.starts[last] - axis.starts[first]) + axis.taps <= Self.inputs
            }
        }
        guard let atOnce, let last = axis.starts.last else { return nil }
        self.atOnce = atOnce
        count = axis.taps
        let beyond = Self.maxAtOnce - 1
        starts = axis.starts + [Int32](repeating: last, count: beyond)
        var weights = [Float](repeating: 0, count: axis.taps * starts.count)
        for output in 0..<axis.output {
            for tap in 0..<axis.taps { weights[tap * starts.count + output] = axis.weights[output * axis.taps + tap] }
        }
        self.weights = weights
    }

    /// Filters red, green and blue of two rows like `HorizontalFilter`. Requires AVX-512. `inputs` is input 0 of the
    /// first plane, which may lie before the readable memory; `corners` is the first of a tile's planes. `beginsRight`
    /// is true if the first output is the right corner of its square.
    func filter(
        _ range: Range<Int>, _ inputs: UnsafePointer<Float>, stride inputStride: Int,
        into corners: UnsafeMutablePointer<Float>, stride cornerStride: Int, beginsRight: Bool
    ) {
        starts.withUnsafeBufferPointer { starts in
            weights.withUnsafeBufferPointer { weights in
                var taps = RawmillFilterTaps(
                    starts: starts.baseAddress, weights: weights.baseAddress, stride: starts.count, count: count,
                    atOnce: atOnce)
                rawmill_filter_horizontally(
                    &taps, inputs, inputStride, range.lowerBound, range.count, corners, cornerStride, beginsRight)
            }
        }
    }
}
