internal import Decode
internal import Digest
internal import Jobs
internal import Manifests
internal import Memory
internal import RenderJobs
internal import Storage

/// The camera profiles that this process used last. Of a folder only those are kept whose cameras came by.
struct CameraProfileCache {
    private var known = BoundedCache<Key, CameraProfileFile?>(maxCount: 16)

    private struct Key: Hashable {
        /// Of the packed profiles.
        let digest: SHA256Value
        let cameras: [String]
    }

    /// The profile that a recipe's profiles have for a camera; nil for a recipe without, and for a camera without.
    ///
    /// - Parameters:
    ///   - cameras: the names of the photo's camera.
    ///   - file: the packed profiles.
    /// - Throws: `unknown-look` where they are not in the library, or not those that the recipe names.
    mutating func profile(
        _ recipe: Recipe, for cameras: [String], _ file: OpenFile?
    ) throws(Failure) -> CameraProfileFile? {
        guard let digest = recipe.cameraProfiles else { return nil }
        return try known.value(of: Key(digest: digest, cameras: cameras)) { () throws(Failure) in
            try Self.read(file, digest, cameras)
        }
    }

    private static func read(
        _ file: OpenFile?, _ digest: SHA256Value, _ cameras: [String]
    ) throws(Failure) -> CameraProfileFile? {
        guard let file else {
            throw Failure(
                .unknownLook, "The camera profiles that the job asks for are not in the library. Give --dcp again.")
        }
        let bytes = try catchingLibraryErrors { () throws(StorageError) in
            try file.contents(limitBytes: UInt64(CameraProfilePack.maxBytes) + 1 << 24)
        }
        guard SHA256Value(of: bytes) == digest else {
            throw Failure(
                .unknownLook, "The camera profiles in the library are not those the job asks for. Give --dcp again.")
        }
        do throws(CameraProfileError) {
            return try CameraProfilePack(packed: bytes).profile(for: cameras)
        } catch {
            throw Failure(.unknownLook, "The job's camera profiles cannot be used: \(error).")
        }
    }
}
