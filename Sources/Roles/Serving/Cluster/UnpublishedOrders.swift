internal import Clock
package import ClusterControl
package import Jobs
internal import Manifests
package import Revisions
package import Storage

/// Orders for renditions that `photos/` does not show yet, one for each recipe.
package struct UnpublishedOrders {
    package private(set) var orders: [(order: ConversionOrder, parts: [Control])] = []

    package var batches: [BatchID] { orders.map(\.order.batch) }

    package init(_ photos: [(raw: FileReference, edited: EditedRecipe)]) {
        var sources: [EditedRecipe: [FileReference]] = [:]
        var recipes: [EditedRecipe] = []
        for (raw, edited) in photos {
            if sources[edited] == nil { recipes.append(edited) }
            // Frames of one RAW are one job.
            if sources[edited]?.contains(raw) != true { sources[edited, default: []].append(raw) }
        }
        for edited in recipes {
            let parts = SourceParts((sources[edited] ?? []).map { .init(root: $0.root, path: $0.path) })
            let order = ConversionOrder(
                sources: parts.inline, sourceParts: UInt32(parts.parts.count), recipe: edited.recipe,
                hasOwnLook: edited.hasOwnLook, lane: .interactive, submittedMilliseconds: WallClock.milliseconds,
                isHeld: true)
            orders.append((order, parts.controls(for: order.batch)))
        }
    }

    /// The RAW of an edit: the library's copy if there is one, because the original may have been moved.
    package static func raw(of photo: PhotoReviser.Photo, library: Root) -> FileReference? {
        photo.raws.first { raw in
            guard raw.root == .library else { return false }
            return (try? library.factsIfPresent(of: raw.path.bytes)) != nil
        } ?? photo.raws.first { $0.root != .library }
    }

    /// Sends the orders. Returns when the broker has stored them.
    package func send(with sender: ControlSender) async throws {
        for (order, parts) in orders { try await sender.send(parts, then: .submit(order)) }
    }
}
