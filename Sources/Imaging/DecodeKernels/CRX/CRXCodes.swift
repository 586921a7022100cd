/// The bytes of a tile, followed by zeros that a reader may load.
struct CRXBytes {
    let start: UnsafePointer<UInt8>
    /// In bits.
    let end: UInt64
}

/// The reading position in a band's codes and the adaptive Golomb–Rice parameter.
///
/// A Golomb–Rice code is a unary quotient, a one, and `parameter` remainder bits. The parameter adapts to the previous
/// codes and the row above. Equal coefficients form a run, whose length is coded in steps that grow with use (JPEG-LS,
/// ITU-T T.87, A.7).
struct CRXCodes {
    /// After this many zeros, an escaped value follows in plain bits.
    private static let maxZeros: UInt64 = 40
    private static let plainBits: UInt64 = 21
    static let maxParameter: UInt64 = 15
    private static let maxExpectation = 31

    /// In bits.
    private(set) var position: UInt64
    var parameter: UInt64 = 0
    private var expectation = 0

    init(at position: UInt64) { self.position = position }

    @inline(__always)
    mutating func next(_ bytes: CRXBytes) -> UInt64 {
        // A load has at least 57 bits. Only escaped values take more than 40 + 1 + 15.
        let bits = DifferenceReader.bits(bytes.start, at: position)
        let zeros = UInt64(truncatingIfNeeded: bits.leadingZeroBitCount)
        if _slowPath(zeros > Self.maxZeros) {
            var other = self
            let code = other.longCode(bytes)
            self = other
            return code
        }
        position &+= zeros &+ parameter &+ 1
        // Keeps the terminating one as the highest bit.
        let rest = (bits &<< zeros) &>> (63 &- parameter)
        return rest &+ ((zeros &- 1) &<< parameter)
    }

    @inline(never)
    private mutating func longCode(_ bytes: CRXBytes) -> UInt64 {
        while position < bytes.end {
            let zeros = UInt64(DifferenceReader.bits(bytes.start, at: position).leadingZeroBitCount)
            guard zeros < 57 else {
                position += 57
                continue
            }
            position += zeros + 1
            return take(Self.plainBits, bytes)
        }
        // A damaged code, reported by the check at the row's end.
        position += 1
        return 0
    }

    @inline(__always)
    private mutating func take(_ count: UInt64, _ bytes: CRXBytes) -> UInt64 {
        let bits = DifferenceReader.bits(bytes.start, at: position)
        position &+= count
        return (bits &>> 1) &>> (63 &- count)
    }

    @inline(__always)
    mutating func follow(_ code: UInt64, max: UInt64 = maxParameter) {
        // The compiler would turn comparisons into branches, which noise mispredicts.
        let high = Int64(bitPattern: code &>> parameter)
        let isLarge = (2 &- high) &>> 63 &+ (5 &- high) &>> 63
        let isSmall = Int64(bitPattern: code &- (1 &<< parameter) &>> 1) &>> 63
        let next = parameter &+ UInt64(bitPattern: isSmall &- isLarge)
        parameter = min(next, max)
    }

    /// Reads the length of a run. For a damaged run, the result exceeds `remaining`.
    mutating func run(_ bytes: CRXBytes, remaining: Int) -> Int {
        guard take(1, bytes) == 1 else { return 0 }
        var length = 1
        while take(1, bytes) == 1 {
            length += 1 << Self.step(expectation)
            if length > remaining { return remaining }
            if expectation < Self.maxExpectation { expectation += 1 }
            if length == remaining { return length }
        }
        if length < remaining {
            length += Int(take(Self.step(expectation), bytes))
            if expectation > 0 { expectation -= 1 }
        }
        return length
    }

    @inline(__always)
    private static func step(_ expectation: Int) -> UInt64 {
        // Maps to 0, 1, 2 and 3 four times each, 4 to 7 twice each, and 8 to 15 once.
        UInt64(expectation < 16 ? expectation >> 2 : expectation < 24 ? expectation >> 1 - 4 : expectation - 16)
    }

    /// Signed value of a code: 0, -1, 1, -2, …
    @inline(__always)
    static func number(_ code: UInt64) -> Int32 {
        let code = UInt32(truncatingIfNeeded: code)
        return Int32(bitPattern: code &>> 1 ^ (0 &- (code & 1)))
    }
}
