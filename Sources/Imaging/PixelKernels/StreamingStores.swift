internal import CCache

/// Copies that bypass the processor's caches (non-temporal stores).
///
/// They are faster for planes that exceed the caches and are read only once complete: the processor does not fetch
/// cache lines only to overwrite them, and the caches keep their contents.
public enum StreamingStores {
    private static let lineBytes = 64

    /// Copies bytes past the caches, fastest if they begin and end on multiples of 64 bytes. Other threads see them
    /// only after `fence()`.
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

    /// Makes this thread's streamed copies visible. Call it before another thread reads the target.
    public static func fence() { rawmill_store_fence() }
}
