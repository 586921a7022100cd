package import Manifests

/// A job whose manifest was taken, and the places of its photos.
package struct FinishedJob {
    package let manifest: Manifest
    /// Absolute paths, frame 0 first. A frame without a place is left out.
    package let photos: [[UInt8]]
    /// Users' files that occupy a photo's name; absolute.
    package var occupied: [[UInt8]] = []
    /// Sentences for the user.
    package var notices: [String] = []
    /// Files that occupied a photo's name in an exported folder, and were kept; absolute.
    package var kept: [[UInt8]] = []
    /// Why photos could not be placed.
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
