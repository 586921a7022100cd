import PictureFormat
import Pixels
import Testing

@testable import Decode

/// What became of a file's samples: by our own unpacker, which LibRaw judges.
struct UnpackerOutcome: Equatable {
    var samples: [UInt16] = []
    var facts: String?
    /// Why the file was refused.
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

    /// Expects our unpacker to do what LibRaw does: to give the same samples and facts, or to refuse the file.
    ///
    /// - Returns: what it did.
    @discardableResult
    static func compare(
        _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> UnpackerOutcome {
        let own = try UnpackerOutcome(bytes, .own)
        let isSame = try own == UnpackerOutcome(bytes, .libRaw)
        #expect(isSame, sourceLocation: sourceLocation)
        return own
    }

    /// Expects our unpacker to take the file, to do what LibRaw does, and to give the samples that were written.
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

    /// Whether our unpacker takes the file, and does not leave it to LibRaw once it has seen its samples.
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

    /// Whether our unpacker takes the file.
    static func isOwn(_ bytes: [UInt8]) throws -> Bool {
        try bytes.withUnsafeBytes { memory in
            let frame = try Frame(0, of: memory, limits: .standard)
            let layout = try #require(frame.raw.facts.layout)
            return try StoredSamples(frame, layout) != nil
        }
    }
}
