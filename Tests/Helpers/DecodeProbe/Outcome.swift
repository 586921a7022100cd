import Decode
import Pixels

/// What became of a file.
enum Outcome {
    case decoded(Picture)
    case failed(String)

    struct Picture: Equatable {
        /// Of its samples.
        let digest: [UInt8]
        let layout: SensorLayout
    }

    init(of bytes: [UInt8], frame: Int = 0) {
        self.init(bytes) { raw throws(DecodeError) in
            _ = try raw.metadata()
            _ = try raw.embeddedPreview()
            _ = try raw.smallPreviews()
            return try raw.decode(frame: frame)
        }
    }

    /// The samples as LibRaw unpacks them.
    init(byLibRaw bytes: [UInt8]) {
        self.init(bytes) { raw throws(DecodeError) in try raw.decodeByLibRaw() }
    }

    private init(_ bytes: [UInt8], _ decode: (borrowing RawFile) throws(DecodeError) -> SensorImage) {
        self = bytes.withUnsafeBytes { buffer in
            do throws(DecodeError) {
                let image = try decode(RawFile(bytes: buffer))
                let layout = image.facts.layout
                return .decoded(
                    Picture(
                        digest: image.plane.rawImageDigest(samplesPerPixel: layout.samplesPerPixel), layout: layout))
            } catch {
                return .failed(error.reason.rawValue)
            }
        }
    }

    /// A file's pictures: a damaged file may show another one first. None where it does not decode.
    static func pictures(in bytes: [UInt8]) -> [Picture] {
        let count = bytes.withUnsafeBytes { buffer in (try? RawFile(bytes: buffer).frameCount) ?? 0 }
        return (0..<count).compactMap { Outcome(of: bytes, frame: $0).picture }
    }

    private var picture: Picture? { if case .decoded(let picture) = self { picture } else { nil } }

    /// A file whose digest holds, but that says of its samples that they are laid out in another way that exists, is
    /// `reinterpreted`: nothing in it tells that it is damaged.
    ///
    /// - Parameter originals: the undamaged file's pictures; none where there is nothing to compare with.
    func word(originals: [Picture]) -> String {
        switch self {
        case .failed(let reason): reason
        case .decoded where originals.isEmpty: "decoded"
        case .decoded(let found) where originals.contains(found): "same"
        case .decoded(let found):
            originals.contains { $0.layout == found.layout } ? "DIFFERENT" : "reinterpreted"
        }
    }
}
