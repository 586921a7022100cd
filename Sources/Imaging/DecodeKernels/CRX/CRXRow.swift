/// One row of a band's numbers, while it is decoded.
protocol CRXRow {
    /// As far as they are decoded.
    var codes: CRXCodes { get }
    /// Whether more than the last number is left.
    var hasSeveral: Bool { get }
    /// Decodes a number, or a run and the number behind it. Only while `hasSeveral`.
    mutating func step(_ bytes: CRXBytes)
    /// Decodes what is left.
    ///
    /// - Returns: false where the row is damaged.
    mutating func finish(_ bytes: CRXBytes) -> Bool
}
