internal import CBaselineJPEG

/// The coder of a baseline JPEG's entropy-coded data. All paths give the same bytes.
enum JPEGPath: CaseIterable {
    /// libjpeg-turbo, one block at a time.
    case turbo
    /// `CBaselineJPEG`, two blocks at once.
    case avx2
    /// `CBaselineJPEG`, four blocks at once.
    case avx512

    /// The path is chosen at build time, so that the program of a processor level always runs the same code.
    static let ofThisBuild: JPEGPath =
        rawmill_jpeg_avx512_is_built_in() ? .avx512 : rawmill_jpeg_avx2_is_built_in() ? .avx2 : .turbo

    /// The paths that this processor can run, for tests.
    static var supported: [JPEGPath] {
        [.turbo] + (rawmill_jpeg_avx2_is_supported() ? [.avx2] : [])
            + (rawmill_jpeg_avx512_is_supported() ? [.avx512] : [])
    }
}
