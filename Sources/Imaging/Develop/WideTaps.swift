internal import CAVX512

/// The taps of an axis as wide vectors take them: sixteen results at once, each tap of which is picked from 32 inputs.
struct WideTaps {
    private static let inputs = 32
    private static let mostAtOnce = 16
    /// Inputs that are read beyond the last one there is.
    static let slack = inputs - 1

    /// The first input of each result; the last one repeats for what is read beyond the end.
    private let starts: [Int32]
    /// By tap, and then by result.
    private let weights: [Float]
    private let count: Int
    private let atOnce: Int

    /// Nil where taps are too many for it.
    init?(_ axis: ResampleAxis) {
        let most = stride(from: Self.mostAtOnce, to: 0, by: -2).first { atOnce in
            axis.starts.indices.allSatisfy { first in
                let last = min(first + atOnce, axis.output) - 1
                return Int(axis.starts[last] - axis.starts[first]) + axis.taps <= Self.inputs
            }
        }
        guard let most, let last = axis.starts.last else { return nil }
        atOnce = most
        count = axis.taps
        let beyond = Self.mostAtOnce - 1
        starts = axis.starts + [Int32](repeating: last, count: beyond)
        var weights = [Float](repeating: 0, count: axis.taps * starts.count)
        for result in 0..<axis.output {
            for tap in 0..<axis.taps { weights[tap * starts.count + result] = axis.weights[result * axis.taps + tap] }
        }
        self.weights = weights
    }

    /// Filters red, green and blue of two rows, as `ColumnFilter` does.
    ///
    /// - Parameters:
    ///   - inputs: number 0 of the first plane, which may lie before what is there.
    ///   - corners: a tile's planes.
    /// - Returns: false where nothing was done, because the processor has no such vectors.
    func filter(
        _ range: Range<Int>, _ inputs: UnsafePointer<Float>, stride inputStride: Int,
        into corners: UnsafeMutablePointer<Float>, stride cornerStride: Int, beginsRight: Bool
    ) -> Bool {
        starts.withUnsafeBufferPointer { starts in
            weights.withUnsafeBufferPointer { weights in
                var taps = RawmillTaps(
                    starts: starts.baseAddress, weights: weights.baseAddress, stride: starts.count, count: count,
                    atOnce: atOnce)
                return rawmill_filter_columns(
                    &taps, inputs, inputStride, range.lowerBound, range.count, corners, cornerStride, beginsRight)
            }
        }
    }
}
