/// The bytes of a lens table: a heading, then mounts, cameras and lenses, each preceded by their number. Numbers are
/// little-endian, floats by their bits, and texts are UTF-8 with their length in a byte.
enum LensTableCoding {
    static let heading = Array("Rawmill lenses 1\n".utf8)

    static func bytes(_ camera: CameraRecord) -> [UInt8] {
        var writer = Writer()
        writer.camera(camera)
        return writer.bytes
    }

    static func bytes(_ lens: LensRecord) -> [UInt8] {
        var writer = Writer()
        writer.lens(lens)
        return writer.bytes
    }

    struct Writer {
        private(set) var bytes: [UInt8] = []

        mutating func raw(_ bytes: [UInt8]) { self.bytes += bytes }

        mutating func count(_ number: Int) {
            let number = UInt32(clamping: number)
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }

        mutating func number(_ number: Float) {
            // Negative zero becomes zero, so that equal tables have equal bytes.
            count(Int((number + 0).bitPattern))
        }

        mutating func text(_ text: String) {
            let utf8 = Array(text.utf8.prefix(255))
            bytes.append(UInt8(utf8.count))
            bytes += utf8
        }

        mutating func texts(_ texts: [String]) {
            count(texts.count)
            for text in texts { self.text(text) }
        }

        mutating func numbers(_ numbers: SIMD3<Float>) { for index in 0..<3 { number(numbers[index]) } }

        mutating func camera(_ camera: CameraRecord) {
            texts(camera.makers)
            texts(camera.models)
            text(camera.variant)
            text(camera.mount)
            number(camera.cropFactor)
        }

        mutating func lens(_ lens: LensRecord) {
            texts(lens.makers)
            texts(lens.names)
            texts(lens.mounts)
            for value in [lens.focalLengths[0], lens.focalLengths[1], lens.minAperture] { number(value) }
            let sensor = lens.sensor
            for value in [sensor.cropFactor, sensor.aspectRatio, sensor.centre.x, sensor.centre.y] { number(value) }
            count(lens.distortion.count)
            for point in lens.distortion {
                bytes.append(point.model.rawValue)
                number(point.focalLength)
                numbers(point.terms)
            }
            count(lens.lateralColour.count)
            for point in lens.lateralColour {
                number(point.focalLength)
                numbers(point.red)
                numbers(point.blue)
            }
            count(lens.vignetting.count)
            for point in lens.vignetting {
                for value in [point.focalLength, point.aperture, point.distance] { number(value) }
                numbers(point.terms)
            }
        }
    }
}

/// Invalid bytes of a lens table.
public struct LensTableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// End of a sentence: "it is truncated".
    public let description: String
}

extension LensTable {
    /// First bytes of a table, which identify its form.
    public static var form: [UInt8] { LensTableCoding.heading }

    /// The table's bytes; equal for equal tables.
    public var bytes: [UInt8] {
        var writer = LensTableCoding.Writer()
        writer.raw(LensTableCoding.heading)
        writer.count(compatibleMounts.count)
        for (mount, others) in compatibleMounts.sorted(by: { $0.key < $1.key }) {
            writer.text(mount)
            writer.texts(others)
        }
        writer.count(cameras.count)
        for camera in cameras { writer.camera(camera) }
        writer.count(lenses.count)
        for lens in lenses { writer.lens(lens) }
        return writer.bytes
    }

    /// Reads a table.
    ///
    /// - Throws: `LensTableError` for truncated bytes, trailing bytes, and implausible numbers.
    public init(bytes: [UInt8]) throws(LensTableError) {
        var reader = LensTableReader(bytes)
        guard reader.has(LensTableCoding.heading) else {
            throw LensTableError(description: "it has an unsupported version")
        }
        var mounts: [String: [String]] = [:]
        for _ in 0..<(try reader.count(minBytes: 5)) { mounts[try reader.text()] = try reader.texts() }
        var cameras: [CameraRecord] = []
        for _ in 0..<(try reader.count(minBytes: 14)) { cameras.append(try reader.camera()) }
        var lenses: [LensRecord] = []
        for _ in 0..<(try reader.count(minBytes: 52)) { lenses.append(try reader.lens()) }
        guard reader.isAtEnd else { throw LensTableError(description: "it has trailing bytes") }
        guard cameras.allSatisfy(\.isSound), lenses.allSatisfy({ $0.isSound && $0.hasSoundPoints }) else {
            throw LensTableError(description: "some of its numbers are implausible")
        }
        self.init(sorted: cameras, lenses, mounts)
    }
}

private struct LensTableReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    private mutating func take(_ count: Int) throws(LensTableError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw LensTableError(description: "it is truncated") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func has(_ expected: [UInt8]) -> Bool {
        (try? take(expected.count)).map { $0.elementsEqual(expected) } ?? false
    }

    private mutating func word() throws(LensTableError) -> UInt32 {
        guard bytes.count - position >= 4 else { throw LensTableError(description: "it is truncated") }
        defer { position += 4 }
        let (low, high) = (UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8, UInt32(bytes[position + 2]))
        return low | high << 16 | UInt32(bytes[position + 3]) << 24
    }

    /// Reads a number of parts, limited by the remaining bytes.
    mutating func count(minBytes: Int) throws(LensTableError) -> Int {
        let count = Int(try word())
        guard count <= (bytes.count - position) / minBytes else { throw LensTableError(description: "it is truncated") }
        return count
    }

    mutating func number() throws(LensTableError) -> Float { Float(bitPattern: try word()) }

    mutating func text() throws(LensTableError) -> String {
        let count = Int(try take(1).first ?? 0)
        return String(decoding: try take(count), as: UTF8.self)
    }

    mutating func texts() throws(LensTableError) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try count(minBytes: 1)) { texts.append(try text()) }
        return texts
    }

    private mutating func numbers() throws(LensTableError) -> SIMD3<Float> {
        SIMD3(try number(), try number(), try number())
    }

    mutating func camera() throws(LensTableError) -> CameraRecord {
        CameraRecord(
            makers: try texts(), models: try texts(), variant: try text(), mount: try text(), cropFactor: try number())
    }

    mutating func lens() throws(LensTableError) -> LensRecord {
        var lens = LensRecord(
            makers: try texts(), names: try texts(), mounts: try texts(),
            focalLengths: SIMD2(try number(), try number()), minAperture: try number(),
            sensor: CalibrationSensor(
                cropFactor: try number(), aspectRatio: try number(), centre: SIMD2(try number(), try number())))
        for _ in 0..<(try count(minBytes: 17)) {
            guard let model = DistortionPoint.Model(rawValue: try take(1).first ?? 0) else {
                throw LensTableError(description: "it has an unknown formula")
            }
            lens.distortion.append(
                DistortionPoint(model: model, focalLength: try number(), terms: try numbers()))
        }
        for _ in 0..<(try count(minBytes: 28)) {
            lens.lateralColour.append(
                LateralColourPoint(focalLength: try number(), red: try numbers(), blue: try numbers()))
        }
        let points = try count(minBytes: 24)
        lens.vignetting.reserveCapacity(points)
        for _ in 0..<points {
            lens.vignetting.append(
                VignettingPoint(
                    focalLength: try number(), aperture: try number(), distance: try number(), terms: try numbers()))
        }
        return lens
    }
}
