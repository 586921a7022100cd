package import Manifests

/// A job whose manifest was taken, and where its photos are.
package struct FinishedJob {
    package let manifest: Manifest
    /// Absolute paths, frame 0 first. A frame without a place is left out.
    package let photos: [[UInt8]]
    /// Files of people that stand where a photo would; absolute.
    package var occupied: [[UInt8]] = []
    /// Sentences that a person should read.
    package var notices: [String] = []
    /// Files that stood at the photos' names and were kept; absolute.
    package var kept: [[UInt8]] = []
    /// Why photos have no place.
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
