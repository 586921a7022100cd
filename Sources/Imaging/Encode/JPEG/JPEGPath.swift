internal import CBaselineJPEG

/// By whom a picture's samples become the entropy-coded data of a baseline JPEG. All paths give the same bytes.
enum JPEGPath: CaseIterable {
    /// libjpeg-turbo, one block after another.
    case turbo
    /// `CBaselineJPEG`, two blocks at once.
    case avx2
    /// `CBaselineJPEG`, four blocks at once.
    case avx512

    /// The path of this build. It is decided when the program is built, not by the processor, so that the program of a
    /// level always runs the same code.
    static let ofThisBuild: JPEGPath =
        rawmill_jpeg_avx512_is_built_in() ? .avx512 : rawmill_jpeg_avx2_is_built_in() ? .avx2 : .turbo

    /// The paths that this processor can run, for tests.
    static var supported: [JPEGPath] {
        [.turbo] + (rawmill_jpeg_avx2_is_supported() ? [.avx2] : [])
            + (rawmill_jpeg_avx512_is_supported() ? [.avx512] : [])
    }
}
