internal import CCache

/// A processor's caches, and the way past them: into planes that are larger than they are, and not read before they are
/// whole. What was there before is not fetched only to be overwritten, and what lies in the caches stays there.
public enum Caches {
    private static let lineBytes = 64

    /// Copies bytes past the caches. Runs that begin and end on multiples of 64 bytes are the fastest.
    ///
    /// - Parameter target: does not overlap the bytes.
    public static func copyPast(_ bytes: UnsafeRawPointer, to target: UnsafeMutableRawPointer, byteCount: Int) {
        let before = min(byteCount, (0 &- Int(bitPattern: target)) & (lineBytes - 1))
        let lines = (byteCount - before) / lineBytes
        let after = before + lines * lineBytes
        target.copyMemory(from: bytes, byteCount: before)
        rawmill_stream(target + before, bytes + before, lines)
        (target + after).copyMemory(from: bytes + after, byteCount: byteCount - after)
    }

    /// Has all that was copied so be in memory: to be called before another thread may look.
    public static func settle() { rawmill_settle() }
}
