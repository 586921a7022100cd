/// The sentence about a part of an item that failed.
package enum NotImported {
    /// Nil where nothing failed.
    package static func sentence(_ count: Int, of all: Int) -> String? {
        count == 0 ? nil : "\(count) of \(all) \(count == 1 ? "was" : "were") not imported."
    }
}
