/// Three curves, one for each channel, as linearly interpolated tables. Values outside the domain are clamped to it.
public final class CurveInterpolator: @unchecked Sendable {
    private let size: Int
    private let minimum: SIMD3<Float>
    private let maximum: SIMD3<Float>
    /// By channel, each with its last value repeated.
    ///
    /// `@unchecked Sendable`: written only in `init`, then read until `deinit` frees it.
    private let values: UnsafeMutablePointer<Float>

    /// Proves that each curve has `size` values, that `size` fits an `Int32` and a `Float` exactly, and that the domain
    /// is not empty; ends the process otherwise.
    ///
    /// - Parameters:
    ///   - size: values per curve, at least 2.
    ///   - values: `size` rows of red, green, blue.
    ///   - minimum: inputs of the first row, by channel.
    ///   - maximum: inputs of the last row, above `minimum`.
    public init(size: Int, values rows: [Float], minimum: SIMD3<Float>, maximum: SIMD3<Float>) {
        // This module is compiled without `precondition`.
        guard size >= 2, size <= 1 << 24, rows.count == 3 * size, all(minimum .< maximum) else {
            fatalError("a curve has at least two values and a domain")
        }
        self.size = size
        self.minimum = minimum
        self.maximum = maximum
        values = .allocate(capacity: 3 * (size + 1))
        for channel in 0..<3 {
            for i in 0...size { values[channel * (size + 1) + i] = rows[3 * min(i, size - 1) + channel] }
        }
    }

    deinit { values.deallocate() }

    /// Replaces `count` values of each channel.
    public func apply(
        _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        for x in 0..<count { red[x] = interpolated(0, red[x]) }
        for x in 0..<count { green[x] = interpolated(1, green[x]) }
        for x in 0..<count { blue[x] = interpolated(2, blue[x]) }
    }

    /// The curve's value. Channels are 0 red, 1 green, 2 blue; NaN counts as the domain's minimum.
    public func value(_ channel: Int, _ value: Float) -> Float {
        guard (0..<3).contains(channel) else { fatalError("there are three channels") }
        return interpolated(channel, value)
    }

    @inline(__always)
    private func interpolated(_ channel: Int, _ value: Float) -> Float {
        let low = minimum[channel]
        let top = Float(size - 1)
        let position = (value - low) * (top / (maximum[channel] - low))
        let clamped = position > 0 ? (position < top ? position : top) : 0
        let index = Int32(clamped)
        let curve = values + channel * (size + 1)
        let left = curve[Int(index)]
        return left + (curve[Int(index) + 1] - left) * (clamped - Float(index))
    }
}
