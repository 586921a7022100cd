internal import CAVX512

/// The implementation of the hottest loops. Both give the same bits.
enum VectorPath: CaseIterable {
    /// Swift, with the vectors of the build's processor level.
    case portable
    /// C with AVX-512 (`CAVX512`).
    case avx512

    /// Decided by the build, not by the processor, so that a level's program always runs the same code.
    static let ofThisBuild: VectorPath = rawmill_avx512_is_built_in() ? .avx512 : .portable

    /// The paths that this processor can run, for tests.
    static var supported: [VectorPath] { rawmill_avx512_is_supported() ? [.portable, .avx512] : [.portable] }
}
