import TIFF
import PictureFormat
import Pixels

/// Parameters of one opcode. Every count is checked against the bytes that follow.
struct OpcodeParameters {
    /// Edges, planes and pitches.
    private static let areaBytes = 32

    private let reader: ByteReader

    init(_ bytes: UnsafeRawBufferPointer) { reader = unsafe ByteReader(bytes, .bigEndian) }

    func operation(_ number: UInt32) -> Opcode.Operation {
        let operation: Opcode.Operation? =
            switch number {
            case 1: planes(of: 6).map { .warpRectilinear($0, centre: $1) }
            case 2: planes(of: 4).map { .warpFisheye($0, centre: $1) }
            case 3: vignette
            case 4: reader.uint32(0).map { .fixBadPixelsConstant($0) }
            case 5: badPixels
            case 6: rect(at: 0).map { .trimBounds($0) }
            case 7: table
            case 8: polynomial
            case 9: gainMap
            case 10: factors(by: \.rowCount) { .deltaPerRow($0, $1) }
            case 11: factors(by: \.columnCount) { .deltaPerColumn($0, $1) }
            case 12: factors(by: \.rowCount) { .scalePerRow($0, $1) }
            case 13: factors(by: \.columnCount) { .scalePerColumn($0, $1) }
            default: .unknown(number)
            }
        return operation ?? .damaged(number)
    }

    // MARK: - Opcodes

    /// Coefficients of 1 to 3 planes, and the centre.
    private func planes(of count: Int) -> ([[Double]], (x: Double, y: Double))? {
        guard let planes = reader.offset32(0), (1...3).contains(planes),
            let numbers = doubles(at: 4, count: planes * count + 2)
        else { return nil }
        let coefficients = (0..<planes).map { Array(numbers[$0 * count..<($0 + 1) * count]) }
        return (coefficients, (numbers[planes * count], numbers[planes * count + 1]))
    }

    private var vignette: Opcode.Operation? {
        guard let numbers = doubles(at: 0, count: 7) else { return nil }
        return .fixVignetteRadial(Array(numbers.prefix(5)), centre: (numbers[5], numbers[6]))
    }

    private var badPixels: Opcode.Operation? {
        guard let pointCount = reader.offset32(4), let rectCount = reader.offset32(8),
            reader.contains(offset: 12, length: 8 * pointCount + 16 * rectCount)
        else { return nil }
        let points = (0..<pointCount).compactMap { index -> PixelPoint? in
            guard let y = reader.offset32(12 + 8 * index), let x = reader.offset32(16 + 8 * index) else { return nil }
            return PixelPoint(x: x, y: y)
        }
        let rects = (0..<rectCount).compactMap { rect(at: 12 + 8 * pointCount + 16 * $0) }
        return .fixBadPixelsList(points: points, rects: rects)
    }

    private var table: Opcode.Operation? {
        guard let area, let count = reader.offset32(Self.areaBytes), (1...65_536).contains(count),
            reader.contains(offset: Self.areaBytes + 4, length: 2 * count)
        else { return nil }
        return .mapTable(area, (0..<count).compactMap { reader.uint16(Self.areaBytes + 4 + 2 * $0) })
    }

    private var polynomial: Opcode.Operation? {
        guard let area, let degree = reader.offset32(Self.areaBytes), degree <= 8,
            let coefficients = doubles(at: Self.areaBytes + 4, count: degree + 1)
        else { return nil }
        return .mapPolynomial(area, coefficients)
    }

    private var gainMap: Opcode.Operation? {
        let start = Self.areaBytes
        guard let area, let down = reader.offset32(start), let across = reader.offset32(start + 4),
            let places = doubles(at: start + 8, count: 4), let planes = reader.offset32(start + 40)
        else { return nil }
        let limit = 1...GainMap.maxPoints
        guard limit.contains(down), limit.contains(across), (1...3).contains(planes),
            let factors = floats(at: start + 44, count: down * across * planes)
        else { return nil }
        return .gainMap(
            area,
            OpcodeGainMap(
                points: (down, across), spacing: (places[0], places[1]), origin: (places[2], places[3]), planes: planes,
                factors: factors))
    }

    private func factors(
        by count: KeyPath<PixelLattice, Int>, _ operation: (OpcodeArea, [Float]) -> Opcode.Operation
    ) -> Opcode.Operation? {
        guard let area, reader.offset32(Self.areaBytes) == area.lattice[keyPath: count],
            let values = floats(at: Self.areaBytes + 4, count: area.lattice[keyPath: count])
        else { return nil }
        return operation(area, values)
    }

    // MARK: - Numbers

    private var area: OpcodeArea? {
        guard let rect = rect(at: 0), let plane = reader.offset32(16), let planes = reader.offset32(20), planes > 0,
            let rowPitch = reader.offset32(24), let columnPitch = reader.offset32(28),
            let lattice = PixelLattice(rect, rowPitch: rowPitch, columnPitch: columnPitch)
        else { return nil }
        return OpcodeArea(lattice: lattice, planes: plane...plane + planes - 1)
    }

    /// Top, left, bottom and right; nil for an empty rectangle.
    private func rect(at offset: Int) -> PixelRect? {
        guard let top = reader.offset32(offset), let left = reader.offset32(offset + 4),
            let bottom = reader.offset32(offset + 8), let right = reader.offset32(offset + 12), top < bottom,
            left < right
        else { return nil }
        return PixelRect(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
    }

    /// Nil if numbers are missing or not finite.
    private func doubles(at offset: Int, count: Int) -> [Double]? {
        guard reader.contains(offset: offset, length: 8 * count) else { return nil }
        let values = (0..<count).compactMap { reader.uint64(offset + 8 * $0).map { Double(bitPattern: $0) } }
        return values.allSatisfy(\.isFinite) ? values : nil
    }

    /// Nil if numbers are missing or not finite.
    private func floats(at offset: Int, count: Int) -> [Float]? {
        guard count <= reader.count, reader.contains(offset: offset, length: 4 * count) else { return nil }
        let values = (0..<count).compactMap { reader.uint32(offset + 4 * $0).map { Float(bitPattern: $0) } }
        return values.allSatisfy(\.isFinite) ? values : nil
    }
}
