public import Jobs

/// The results of a RAW's frames: renditions of at least one, and failures of the others. A collection of the
/// renditions, in the order of the frames.
public struct RenderedFrames: RandomAccessCollection, ExpressibleByArrayLiteral, Hashable, Sendable {
    /// Of the frames that could be rendered.
    public let renditions: [Rendition]
    /// Of the other frames. These failures are final and concern these frames only.
    public let failures: [FrameFailure]

    /// Memberwise initializer.
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
    /// A rendition by position, which differs from its frame's number if an earlier frame failed.
    public subscript(position: Int) -> Rendition { renditions[position] }

    /// Whether each frame has a rendition.
    public var isWhole: Bool { failures.isEmpty }

    /// The photos that the library already had, which were not developed.
    public var reusedCount: Int { renditions.count { $0.reused != nil } }

    /// Why the job is `degraded`: the failed frames, or the first rendition that cannot be trusted. Nil for a good job.
    public var degradation: String? { partialFailure?.message ?? renditions.lazy.compactMap(\.degraded).first }

    /// The failed frames as one failure, for a dead letter; nil if none failed.
    public var partialFailure: Failure? {
        guard let first = failures.first else { return nil }
        let named = failures.prefix(Self.maxNamed).map { "Frame \($0.frame + 1): \($0.failure.message)" }
        let more = failures.count > named.count ? ["\(failures.count - named.count) more frames failed."] : []
        let count = "\(renditions.count) of \(renditions.count + failures.count) frames became photos."
        return Failure(first.failure.reason, ([count] + named + more).joined(separator: " "))
    }

    private static let maxNamed = 3
}

/// Why a frame of a RAW has no rendition.
public struct FrameFailure: Hashable, Sendable {
    /// The frame's number, from 0.
    public let frame: UInt32
    /// The failure.
    public let failure: Failure

    /// Memberwise initializer.
    public init(frame: UInt32, failure: Failure) {
        self.frame = frame
        self.failure = failure
    }
}
