internal import Decode
internal import Digest
internal import Jobs
internal import Manifests
internal import Memory
internal import RenderJobs
internal import Storage

/// The last used camera profiles. Of a pack, only those of the cameras in use are kept.
struct CameraProfileCache {
    private var known = BoundedCache<Key, CameraProfileFile?>(maxCount: 16)

    private struct Key: Hashable {
        let digest: SHA256Value
        let cameras: [String]
    }

    /// The profile for a camera in a recipe's profiles; nil if the recipe has none, or none for this camera.
    ///
    /// - Parameters:
    ///   - cameras: names of the photo's camera.
    ///   - file: the packed profiles.
    /// - Throws: `unknown-look` if the profiles are missing from the library, or differ from the recipe's.
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
                .unknownLook, "The job's camera profiles are missing from the library. Give --dcp again.")
        }
        let bytes = try catchingLibraryErrors { () throws(StorageError) in
            try file.contents(limitBytes: UInt64(CameraProfilePack.maxBytes) + 1 << 24)
        }
        guard SHA256Value(of: bytes) == digest else {
            throw Failure(
                .unknownLook, "The camera profiles in the library differ from the job's. Give --dcp again.")
        }
        do throws(CameraProfileError) {
            return try CameraProfilePack(packed: bytes).profile(for: cameras)
        } catch {
            throw Failure(.unknownLook, "The job's camera profiles cannot be used: \(error).")
        }
    }
}
