internal import CAVX512

/// Which implementation of the hottest loops runs. Both give the same bits.
enum VectorPath: CaseIterable {
    /// Swift, with the vectors of the processor level the program was built for.
    case portable
    /// C with AVX-512 (`CAVX512`).
    case avx512

    /// The path of this build. It is decided when the program is built, not by the processor, so that the program of a
    /// level always runs the same code.
    static let ofThisBuild: VectorPath = rawmill_avx512_is_built_in() ? .avx512 : .portable

    /// The paths that this processor can run, for tests.
    static var supported: [VectorPath] { rawmill_avx512_is_supported() ? [.portable, .avx512] : [.portable] }
}
