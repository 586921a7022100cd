/// Cameras and lenses of a Lensfun database, in a form that is the same on every machine and takes a few milliseconds
/// to read. Libraries keep it.
public struct LensTable: Hashable, Sendable {
    /// In the order of their records' bytes.
    public let cameras: [CameraRecord]
    /// In the order of their records' bytes.
    public let lenses: [LensRecord]
    /// Compatible mounts, by the name of a mount.
    public let compatibleMounts: [String: [String]]

    /// Creates a table from the plausible records: those with names, valid numbers and measurements in range.
    public init(cameras: [CameraRecord], lenses: [LensRecord], compatibleMounts: [String: [String]] = [:]) {
        self.cameras = Self.sorted(cameras.filter(\.isSound)) { LensTableCoding.bytes($0) }
        self.lenses = Self.sorted(lenses.map(\.sound).filter(\.isSound)) { LensTableCoding.bytes($0) }
        self.compatibleMounts = compatibleMounts.mapValues { $0.sorted() }
    }

    /// Records in the order of their bytes, which are computed once for each.
    private static func sorted<Record>(_ records: [Record], _ bytes: (Record) -> [UInt8]) -> [Record] {
        records.map { (bytes($0), $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }

    /// - Parameters: as written, in order.
    init(sorted cameras: [CameraRecord], _ lenses: [LensRecord], _ compatibleMounts: [String: [String]]) {
        self.cameras = cameras
        self.lenses = lenses
        self.compatibleMounts = compatibleMounts
    }
}

// MARK: - Plausibility

extension CameraRecord {
    var isSound: Bool {
        !makers.isEmpty && !models.isEmpty && !mount.isEmpty && CalibrationSensor.cropFactors.contains(cropFactor)
    }
}

extension CalibrationSensor {
    /// From large format to the smallest telephones.
    static let cropFactors: ClosedRange<Float> = 0.1...20
    private static let aspectRatios: ClosedRange<Float> = 1...10
    private static let shifts: ClosedRange<Float> = -1...1

    var isSound: Bool {
        Self.cropFactors.contains(cropFactor) && Self.aspectRatios.contains(aspectRatio)
            && Self.shifts.contains(centre.x) && Self.shifts.contains(centre.y)
    }
}

extension LensRecord {
    /// Plausible millimetres, f-numbers and metres.
    private static let measures: ClosedRange<Float> = 0.01...100_000
    private static let terms: ClosedRange<Float> = -50...50

    var isSound: Bool {
        !names.isEmpty && !mounts.isEmpty && sensor.isSound && (0...100_000).contains(focalLengths[0])
            && (0...100_000).contains(focalLengths[1]) && (0...1000).contains(minAperture)
    }

    /// The record without implausible points, and with its points sorted.
    var sound: LensRecord {
        var lens = self
        lens.distortion = distortion.filter(Self.isSound).sorted { $0.focalLength < $1.focalLength }
        lens.lateralColour = lateralColour.filter(Self.isSound).sorted { $0.focalLength < $1.focalLength }
        lens.vignetting = vignetting.filter(Self.isSound)
        return lens
    }

    var hasSoundPoints: Bool {
        func ascend(_ places: some Collection<Float>) -> Bool {
            zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }
        }
        return distortion.allSatisfy(Self.isSound) && lateralColour.allSatisfy(Self.isSound)
            && vignetting.allSatisfy(Self.isSound) && ascend(distortion.lazy.map(\.focalLength))
            && ascend(lateralColour.lazy.map(\.focalLength))
    }

    private static func areSound(_ numbers: SIMD3<Float>) -> Bool {
        terms.contains(numbers[0]) && terms.contains(numbers[1]) && terms.contains(numbers[2])
    }

    private static func isSound(_ point: DistortionPoint) -> Bool {
        measures.contains(point.focalLength) && areSound(point.terms)
    }

    private static func isSound(_ point: LateralColourPoint) -> Bool {
        measures.contains(point.focalLength) && areSound(point.red) && areSound(point.blue)
    }

    private static func isSound(_ point: VignettingPoint) -> Bool {
        measures.contains(point.focalLength) && measures.contains(point.aperture) && measures.contains(point.distance)
            && areSound(point.terms)
    }
}
