import DevelopKernels

extension CoordinateCurve {
    /// The curve as cubics if it is smooth enough, else rounded entry by entry. It has a value for each index of light,
    /// from 0 to below `end`, which is at most 65,536.
    static func rounded(_ curve: [Float], end: Int) -> CoordinateCurve {
        let cubics = PiecewiseCubic(curve, end: end)
        let values = curve.indices.map { cubics?[$0] ?? UInt16(curve[$0].rounded()) }
        let tables = cubics.flatMap { Cubics(tables: $0.tables, last: $0.last) }
        guard let curve = CoordinateCurve(values, cubics: tables, end: end) else {
            preconditionFailure("all values of the curve are below its end")
        }
        return curve
    }
}
