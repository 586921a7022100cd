import TIFF
import Pixels

/// A camera profile in a separate file, a DCP (Adobe, 2023, "Digital Negative Specification" 1.7, chapter 6, "Camera
/// profiles"): a TIFF file with another magic number and no picture.
public struct CameraProfileFile: Sendable {
    /// The profile's camera (UniqueCameraModel); nil if not stated.
    public let camera: String?
    /// Display name (ProfileName); nil if absent.
    public let name: String?
    private let lights: [CameraProfileFields.Light]
    private let signature: [UInt8]
    let lookTable: HueSatMap?
    /// In stops.
    let baselineExposureOffset: Float

    /// - Parameter bytes: the whole file.
    /// - Throws: `CameraProfileError` for other files, and for invalid matrices or tables.
    public init(_ bytes: [UInt8]) throws(CameraProfileError) {
        // The result does not point into the bytes.
        guard let found = unsafe bytes.withUnsafeBytes({ unsafe Self(reading: $0) }) else {
            throw CameraProfileError("it is not a valid camera profile (DCP)")
        }
        self = found
    }

    private init?(reading bytes: UnsafeRawBufferPointer) {
        guard unsafe Self.hasMagic(bytes), let file = unsafe TIFFFile(bytes), let directory = file.directories.first
        else { return nil }
        let fields = CameraProfileFields(directories: [directory])
        lights = fields.lights
        let isWhole = fields.isWhole && directory.unreadable.isDisjoint(with: CameraProfileFields.tags)
        guard !lights.isEmpty, isWhole else { return nil }
        func text(_ tag: TIFFTag) -> String? {
            directory.text(tag).flatMap { $0.isEmpty ? nil : String(decoding: $0.prefix(256), as: UTF8.self) }
        }
        camera = text(.uniqueCameraModel)
        name = text(.profileName)
        signature = directory.text(.profileCalibrationSignature) ?? []
        lookTable = fields.lookTable
        let offset = directory.reals(.baselineExposureOffset)?.first ?? 0
        baselineExposureOffset = offset.isFinite && abs(offset) <= 10 ? Float(offset) : 0
    }

    private static func hasMagic(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let head = unsafe Array(bytes.prefix(4))
        return head == Array("IIRC".utf8) || head == Array("MMCR".utf8)
    }

    /// The profile's matrices. A DNG adds the individual camera's calibration.
    func matrices(_ dng: DNGFacts?) -> [CameraMatrix] {
        guard let dng else { return lights.compactMap { $0.matrix(calibration: .identity) } }
        return dng.matrices(lights, signature: signature)
    }
}

/// Error of a camera profile.
public struct CameraProfileError: Error, Hashable, CustomStringConvertible {
    /// The cause, as a clause.
    public let description: String

    init(_ description: String) { self.description = description }
}
