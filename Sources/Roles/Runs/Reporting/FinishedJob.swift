package import Manifests

/// A job whose manifest was taken, and the places of its photos.
package struct FinishedJob {
    package let manifest: Manifest
    /// Absolute paths, frame 0 first, without frames that have no place.
    package let photos: [[UInt8]]
    /// Absolute paths of users' files that have a photo's name.
    package var occupied: [[UInt8]] = []
    package var notices: [String] = []
    /// Absolute paths of kept files that had a photo's name in an exported folder.
    package var kept: [[UInt8]] = []
    package var problems: [String] = []

    package init(
        manifest: Manifest, photos: [[UInt8]], occupied: [[UInt8]] = [], notices: [String] = [], kept: [[UInt8]] = [],
        problems: [String] = []
    ) {
        self.manifest = manifest
        self.photos = photos
        self.occupied = occupied
        self.notices = notices
        self.kept = kept
        self.problems = problems
    }
}
