package import Digest
package import Jobs

/// Identifies a file in `photos/`: a variant of a frame, or the copy of a RAW, at one of the RAW's paths.
package struct TreeEntryID: Hashable, Sendable, Comparable {
    package let asset: SHA256Value
    package let frame: UInt32
    /// `RecipeRecord.variant` of the shown rendition; of the edited one if another photo of the frame has the new
    /// variant. Empty for a RAW's copy, because no look has an empty name.
    package let variant: String
    /// The RAW's path; nil for the rendition's own path.
    package var place: FileReference?

    package init(asset: SHA256Value, frame: UInt32, variant: String, place: FileReference? = nil) {
        self.asset = asset
        self.frame = frame
        self.variant = variant
        self.place = place
    }

    package static func originalCopy(of asset: SHA256Value) -> TreeEntryID {
        TreeEntryID(asset: asset, frame: 0, variant: "")
    }

    package var atMainPlace: TreeEntryID {
        var copy = self
        copy.place = nil
        return copy
    }

    package func at(_ place: FileReference?) -> TreeEntryID {
        var copy = self
        copy.place = place
        return copy
    }

    /// Orders the sizes of one look from the largest.
    package static func < (a: Self, b: Self) -> Bool {
        if a.asset != b.asset { return a.asset < b.asset }
        if a.frame != b.frame { return a.frame < b.frame }
        if a.look != b.look { return a.look < b.look }
        if a.longEdgePixels != b.longEdgePixels { return a.longEdgePixels > b.longEdgePixels }
        if a.variant != b.variant { return a.variant < b.variant }
        guard let first = a.place, let second = b.place else { return a.place == nil && b.place != nil }
        return first.root == second.root ? first.path < second.path : first.root < second.root
    }

    private var look: Substring { variant.prefix { $0 != "." } }

    private var longEdgePixels: UInt32 {
        let parts = variant.split(separator: ".").dropFirst()
        return parts.first { $0.hasSuffix("px") }.flatMap { UInt32($0.dropLast(2)) } ?? .max
    }
}
