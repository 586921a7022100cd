import PictureFormat
import Pixels
import Testing

@testable import Decode

/// The result of unpacking a file with Rawmill's unpacker or LibRaw.
struct UnpackerOutcome: Equatable {
    var samples: [UInt16] = []
    var facts: String?
    /// Reason of a refusal.
    var reason: String?

    init(_ bytes: [UInt8], _ unpacker: DecodeOptions.Unpacker) throws {
        do {
            try withRaw(bytes) { raw in
                let image = try raw.decode(DecodeOptions(xTrans: .mosaic, unpacker: unpacker))
                let plane = image.plane.size
                samples = (0..<plane.height).flatMap { y in (0..<plane.width).map { image.plane.row(y)[$0] } }
                facts = String(describing: image.facts)
            }
        } catch let error as DecodeError {
            reason = "\(error.reason)"
        }
    }

    /// Expects Rawmill's unpacker and LibRaw to give the same samples and facts, or both to refuse the file.
    ///
    /// - Returns: the common outcome.
    @discardableResult
    static func compare(
        _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> UnpackerOutcome {
        let own = try UnpackerOutcome(bytes, .own)
        let isSame = try own == UnpackerOutcome(bytes, .libRaw)
        #expect(isSame, sourceLocation: sourceLocation)
        return own
    }

    /// Expects Rawmill's unpacker to accept the file, to agree with LibRaw, and to give the written samples.
    static func expect(
        _ bytes: [UInt8], gives plane: borrowing Plane<UInt16>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try isOwn(bytes), sourceLocation: sourceLocation)
        try compare(bytes, sourceLocation: sourceLocation)
        try withRaw(bytes) { raw in
            let loss = firstDifference(try raw.decode(xTrans: .mosaic).plane, plane)
            #expect(loss == nil, sourceLocation: sourceLocation)
        }
    }

    /// Whether Rawmill's unpacker accepts the file, and does not leave it to LibRaw after seeing its samples.
    static func isUnpacked(_ bytes: [UInt8]) throws -> Bool {
        try bytes.withUnsafeBytes { memory in
            let frame = try Frame(0, of: memory, limits: .standard)
            let layout = try #require(frame.raw.facts.layout)
            let stored = try #require(try StoredSamples(frame, layout))
            switch try SampleUnpacker(stored: stored, bytes: memory).unpack(threads: 1) {
            case nil: return false
            case .some: return true
            }
        }
    }

    /// Whether Rawmill's unpacker accepts the file.
    static func isOwn(_ bytes: [UInt8]) throws -> Bool {
        try bytes.withUnsafeBytes { memory in
            let frame = try Frame(0, of: memory, limits: .standard)
            let layout = try #require(frame.raw.facts.layout)
            return try StoredSamples(frame, layout) != nil
        }
    }
}
