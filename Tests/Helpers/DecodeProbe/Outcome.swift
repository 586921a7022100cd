import Decode
import Pixels

/// The result of decoding a file.
enum Outcome {
    case decoded(Picture)
    case failed(String)

    struct Picture: Equatable {
        /// Digest of the samples.
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

    /// Unpacks the samples with LibRaw.
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

    /// The pictures of a file, in which a damaged one may differ; empty if it does not decode.
    static func pictures(in bytes: [UInt8]) -> [Picture] {
        let count = bytes.withUnsafeBytes { buffer in (try? RawFile(bytes: buffer).frameCount) ?? 0 }
        return (0..<count).compactMap { Outcome(of: bytes, frame: $0).picture }
    }

    private var picture: Picture? { if case .decoded(let picture) = self { picture } else { nil } }

    /// A file with a valid digest whose header states another valid layout is `reinterpreted`: nothing in it shows the
    /// damage.
    ///
    /// - Parameter originals: pictures of the undamaged file; empty if there is nothing to compare with.
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
