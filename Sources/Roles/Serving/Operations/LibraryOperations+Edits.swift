internal import Clock
internal import Coordinator
internal import Jobs
internal import Manifests
internal import Revisions
internal import Runs
internal import WebService

extension LibraryOperations {
    func apply(_ edit: any RecipeEdit, to recipes: [Recipe]) async throws -> [EditedRecipe] {
        try await owner.withLedger { store in
            try recipes.map { EditedRecipe(recipe: try edit.applied(to: $0, in: store, recording: true)) }
        }
    }

    func prepare(
        _ photos: [(photo: PhotoReviser.Photo, edited: EditedRecipe)]
    ) async throws -> @Sendable () async throws -> [FailureSummary] {
        let locator = try await RawLocator(library: folder)
        let held = try photos.map { photo, edited throws(ServiceError) in
            guard let source = locator.path(of: photo.raws) else {
                throw ServiceError(
                    409, "raw-missing", "The RAW of \(photo.path) is missing from its folder.",
                    remedy: "Mount its disk, or move the RAW back.")
            }
            return (source, edited.recipe)
        }
        let requests = UnpublishedRequests.requests(held, lane: .interactive)
        let batches = requests.flatMap(\.submissions).map(\.batch)
        await owner.expect()
        return {
            await owner.submitExpected(requests)
            await self.wait(for: batches)
            var failures: [FailureSummary] = []
            for batch in batches { failures += try await self.failures(of: batch) }
            return failures.filter { $0.group != "degraded" }
        }
    }

    /// Returns when the batches have no open jobs. Photos that the library already has make no batch.
    private func wait(for batches: [BatchID]) async {
        await owner.wait { store in
            var known: [BatchID: BatchReport] = [:]
            try store.reports.eachBatch { known[$0.batch] = $0 }
            return batches.allSatisfy { batch in
                known[batch].map { $0.counts.accepted > 0 && $0.counts.open == 0 || $0.state == .cancelled } ?? false
            }
        }
    }
}
