import Pixels

/// The columns, of seven around a sample, in which three rows have a colour.
struct XTransTaps: Equatable {
    /// From the lowest bit on: three columns before to three columns after.
    let bits: UInt8

    @inline(__always)
    init(bits: UInt8) { self.bits = bits }

    init(_ colour: CFAColour, column: Int, row: Int) {
        let origin = XTransPhase(x: 0, y: 0)
        bits = (-3...3).reduce(0) { bits, x in
            let isMet = (-1...1).contains { origin.colour(column + x, row + $0) == colour }
            return isMet ? bits | 1 << UInt8(x + 3) : bits
        }
    }

    @inline(__always)
    func has(_ column: Int) -> Bool { bits &>> UInt8(truncatingIfNeeded: column &+ 3) & 1 != 0 }

    /// Calls a loop with compile-time constants: the pattern has eight cases.
    @inline(__always)
    func withConstants(_ body: (XTransTaps) -> Void) {
        switch bits {
        case 0b010_1010: body(XTransTaps(bits: 0b010_1010))
        case 0b101_0101: body(XTransTaps(bits: 0b101_0101))
        case 0b011_1010: body(XTransTaps(bits: 0b011_1010))
        case 0b101_1101: body(XTransTaps(bits: 0b101_1101))
        case 0b010_1110: body(XTransTaps(bits: 0b010_1110))
        case 0b101_0111: body(XTransTaps(bits: 0b101_0111))
        case 0b110_1011: body(XTransTaps(bits: 0b110_1011))
        default: body(XTransTaps(bits: 0b111_0101))
        }
    }
}
