/// Builds opcode lists in DNG's form.
struct OpcodeBytes {
    private var opcodes: [[UInt8]] = []

    var list: [UInt8] { Self.integers([opcodes.count]) + opcodes.flatMap { $0 } }

    /// - Parameter optional: whether a reader may leave it out.
    func adding(_ number: Int, optional: Bool = false, _ parameters: [UInt8]) -> OpcodeBytes {
        var result = self
        let header = Self.integers([number, 0x0104_0000, optional ? 1 : 0, parameters.count])
        result.opcodes.append(header + parameters)
        return result
    }

    /// Top, left, bottom, right, plane, planes, row pitch, column pitch.
    static func area(
        _ edges: [Int] = [0, 0, 48, 64], plane: Int = 0, planes: Int = 1, pitches: [Int] = [1, 1]
    ) -> [UInt8] { integers(edges + [plane, planes] + pitches) }

    static func integers(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    }

    static func shorts(_ values: [UInt16]) -> [UInt8] { values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }

    static func floats(_ values: [Float]) -> [UInt8] { integers(values.map { Int($0.bitPattern) }) }

    static func doubles(_ values: [Double]) -> [UInt8] {
        values.flatMap { value in
            integers([Int(truncatingIfNeeded: value.bitPattern >> 32), Int(value.bitPattern & 0xffff_ffff)])
        }
    }

    /// Points down and across, spacing, origin, planes, factors.
    static func map(
        points: [Int], spacing: [Double], origin: [Double], planes: Int = 1, _ factors: [Float]
    ) -> [UInt8] { integers(points) + doubles(spacing + origin) + integers([planes]) + floats(factors) }
}
