internal import CCache

/// Copies samples past the caches: into a plane that is larger than they are, and not read before it is whole. What was
/// there before is not fetched only to be overwritten, and what lies in the caches stays there.
public enum Streaming {
    /// - Parameter target: does not overlap the samples.
    public static func copy(
        _ samples: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        let target = UnsafeMutableRawPointer(target)
        let count = count * MemoryLayout<UInt16>.stride
        let before = min(count, (0 &- Int(bitPattern: target)) & (lineBytes - 1))
        let lines = (count - before) / lineBytes
        let after = before + lines * lineBytes
        target.copyMemory(from: samples, byteCount: before)
        rawmill_stream(target + before, samples + before, lines)
        (target + after).copyMemory(from: samples + after, byteCount: count - after)
    }

    /// To be called before another thread may look.
    public static func settle() { rawmill_settle() }

    private static let lineBytes = 64
}
