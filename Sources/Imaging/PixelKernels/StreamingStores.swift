internal import CCache

/// Copies that bypass the processor's caches (non-temporal stores).
///
/// They pay for planes that are larger than the caches and are not read before they are complete: the old contents of
/// a cache line are not fetched only to be overwritten, and the caches keep what they hold.
public enum StreamingStores {
    /// Bytes of a cache line.
    private static let lineBytes = 64

    /// Copies bytes past the caches. Runs that begin and end on multiples of 64 bytes are the fastest.
    ///
    /// Another thread sees the bytes only after `fence()`.
    ///
    /// - Parameters:
    ///   - bytes: `byteCount` readable bytes.
    ///   - target: `byteCount` writable bytes, which do not overlap the source.
    public static func copy(_ bytes: UnsafeRawPointer, to target: UnsafeMutableRawPointer, byteCount: Int) {
        let head = min(byteCount, (0 &- Int(bitPattern: target)) & (lineBytes - 1))
        let lines = (byteCount - head) / lineBytes
        let tail = head + lines * lineBytes
        target.copyMemory(from: bytes, byteCount: head)
        rawmill_stream_lines(target + head, bytes + head, lines)
        (target + tail).copyMemory(from: bytes + tail, byteCount: byteCount - tail)
    }

    /// Makes all streamed copies of this thread visible to other threads. Call it before another thread reads the
    /// target.
    public static func fence() { rawmill_store_fence() }
}
