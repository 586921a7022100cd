/// Weighted sums of a column's differences of one colour. At most three of seven rows have the colour.
enum XTransColumnSum {
    typealias Row = UnsafePointer<Int16>

    /// Differences in one row, or the sums of those in two, and their weight.
    struct Term {
        let first: Row
        let second: Row?
        let weight: Float

        init(_ first: Row, _ second: Row? = nil, weight: Float) {
            self.first = first
            self.second = second
            self.weight = weight
        }
    }

    /// `first` is the first row of the pattern in which the column has the colour; if `isTwice`, it has the colour
    /// again two rows later. `rows` returns the differences of the row at a distance after this one. `three` stays
    /// unchanged if its rows lack the colour; `seven` is nil if not needed.
    @inline(__always)
    static func add(
        row: Int, first: Int, isTwice: Bool, _ rows: (Int) -> Row, three: UnsafeMutablePointer<Float>,
        seven: UnsafeMutablePointer<Float>?, _ range: Range<Int>
    ) {
        let (w1, w2, w3, s1) = (XTransWeights.long.1, XTransWeights.long.2, XTransWeights.long.3, XTransWeights.short.1)
        let short: Term?
        let long: (Term, Term?)
        switch (first - row + 6) % 6 {
        case 0:
            short = Term(rows(0), weight: 1)
            long = (Term(rows(0), weight: 1), isTwice ? Term(rows(2), weight: w2) : nil)
        case 1:
            short = Term(rows(1), weight: s1)
            long = (Term(rows(1), weight: w1), isTwice ? Term(rows(-3), rows(3), weight: w3) : nil)
        case 2:
            short = nil
            long = (Term(rows(2), isTwice ? rows(-2) : nil, weight: w2), nil)
        case 3:
            let outer = Term(rows(-3), rows(3), weight: w3)
            short = isTwice ? Term(rows(-1), weight: s1) : nil
            long = isTwice ? (Term(rows(-1), weight: w1), outer) : (outer, nil)
        case 4:
            let before = Term(rows(-2), weight: w2)
            short = isTwice ? Term(rows(0), weight: 1) : nil
            long = isTwice ? (Term(rows(0), weight: 1), before) : (before, nil)
        default:
            short = Term(rows(-1), isTwice ? rows(1) : nil, weight: s1)
            long = (Term(rows(-1), isTwice ? rows(1) : nil, weight: w1), nil)
        }
        if let short { store(short, nil, into: three, range) }
        if let seven { store(long.0, long.1, into: seven, range) }
    }

    /// Separate loops, each with no more terms than necessary.
    private static func store(_ one: Term, _ other: Term?, into sums: UnsafeMutablePointer<Float>, _ range: Range<Int>)
    {
        let (a, weight) = (one.first, one.weight)
        if let other {
            let (c, otherWeight) = (other.first, other.weight)
            if let d = other.second {
                for x in range { sums[x] = Float(a[x]) * weight + Float(c[x] &+ d[x]) * otherWeight }
            } else {
                for x in range { sums[x] = Float(a[x]) * weight + Float(c[x]) * otherWeight }
            }
        } else if let b = one.second {
            for x in range { sums[x] = Float(a[x] &+ b[x]) * weight }
        } else {
            for x in range { sums[x] = Float(a[x]) * weight }
        }
    }
}
