/// Sixteen bytes that hold several numbers.
enum CameraGroup {
    /// From the lowest bit.
    static func bytes(_ numbers: [(value: Int, bits: Int)]) -> [UInt8] {
        var group: UInt128 = 0
        var place = 0
        for number in numbers {
            group |= UInt128(number.value) << UInt128(place)
            place += number.bits
        }
        return (0..<16).map { UInt8(truncatingIfNeeded: group >> UInt128(8 * $0)) }
    }

    /// From the highest bit.
    static func bytesFromTop(_ numbers: [(value: Int, bits: Int)]) -> [UInt8] {
        let used = numbers.reduce(0) { $0 + $1.bits }
        return bytes([(0, 128 - used)] + numbers.reversed())
    }
}
