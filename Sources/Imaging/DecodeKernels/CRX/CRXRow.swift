/// Decodes one row of a band.
protocol CRXRow {
    var codes: CRXCodes { get }
    /// Whether more than one coefficient remains.
    var hasSeveral: Bool { get }
    /// Decodes one coefficient, or a run and the coefficient after it. Requires `hasSeveral`.
    mutating func step(_ bytes: CRXBytes)
    /// Decodes the remaining coefficients; false if the row is damaged.
    mutating func finish(_ bytes: CRXBytes) -> Bool
}
