import Pixels

extension CubeFile.Cube {
    /// The table as whoever develops the picture wants it.
    ///
    /// - Parameter curves: what colours pass before the table.
    func table(after curves: CurveTable?) -> ColourTable {
        if curves == nil, domain == CubeFile.Domain() { return ColourTable(size: size, points: values) }
        let domain = domain
        return ColourTable(size: size, points: values) { channel, value in
            let curved = curves?.value(channel, value) ?? value
            let low = domain.minimum[channel]
            return (curved - low) / (domain.maximum[channel] - low)
        }
    }
}
