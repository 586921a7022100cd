/// The sentence about files that were not imported.
package enum NotImported {
    package static func sentence(_ count: Int, of all: Int) -> String? {
        count == 0 ? nil : "\(count) of \(all) \(count == 1 ? "was" : "were") not imported."
    }
}
