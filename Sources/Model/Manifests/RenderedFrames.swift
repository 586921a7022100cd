public import Jobs

/// What became of the frames of a RAW: a rendition of each that could be rendered, at least one, and for each other one why
/// there is none. A collection of the renditions, in the order of the frames.
public struct RenderedFrames: RandomAccessCollection, ExpressibleByArrayLiteral, Hashable, Sendable {
    /// Of the frames that could be rendered.
    public let renditions: [Rendition]
    /// Of the others. What failed is wrong with these frames alone, and stays so.
    public let failures: [FrameFailure]

    /// The parameters are the properties of the same names.
    public init(_ renditions: [Rendition], failures: [FrameFailure] = []) {
        self.renditions = renditions
        self.failures = failures
    }

    /// All frames, each with its rendition.
    public init(arrayLiteral elements: Rendition...) { self.init(elements) }

    /// 0.
    public var startIndex: Int { renditions.startIndex }
    /// The number of renditions.
    public var endIndex: Int { renditions.endIndex }
    /// A rendition by its place, which is not its frame's number where an earlier frame failed.
    public subscript(position: Int) -> Rendition { renditions[position] }

    /// Whether each frame has a rendition.
    public var isWhole: Bool { failures.isEmpty }

    /// Photos that the library had already: nothing was developed for them.
    public var reusedCount: Int { renditions.count { $0.reused != nil } }

    /// Why the job is `degraded`, for a person: the frames that failed, else the first rendition that cannot be trusted. Nil
    /// for a good one.
    public var degradation: String? { partialFailure?.message ?? renditions.lazy.compactMap(\.degraded).first }

    /// The failed frames as one failure, for a dead letter; nil where none failed.
    public var partialFailure: Failure? {
        guard let first = failures.first else { return nil }
        let named = failures.prefix(Self.maxNamed).map { "Frame \($0.frame + 1): \($0.failure.message)" }
        let more = failures.count > named.count ? ["\(failures.count - named.count) more frames failed."] : []
        let count = "\(renditions.count) of \(renditions.count + failures.count) frames became photos."
        return Failure(first.failure.reason, ([count] + named + more).joined(separator: " "))
    }

    /// Frames whose failures are told in full.
    private static let maxNamed = 3
}

/// Why a frame of a RAW has no rendition.
public struct FrameFailure: Hashable, Sendable {
    /// The frame's number, from 0.
    public let frame: UInt32
    /// Why.
    public let failure: Failure

    /// The parameters are the properties of the same names.
    public init(frame: UInt32, failure: Failure) {
        self.frame = frame
        self.failure = failure
    }
}
