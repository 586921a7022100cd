import Clock
import Coordinator
import Jobs
import Library
import Manifests
import WebService

extension Mill: HeldWorks {
    func apply(_ changes: RecipeChanges, to recipes: [Recipe]) async throws -> [EditedRecipe] {
        try await withLedger { store in
            try recipes.map { EditedRecipe(recipe: try changes.applied(to: $0, in: store)) }
        }
    }

    func hold(
        _ photos: [(photo: PhotoReviser.Photo, edited: EditedRecipe)]
    ) async throws -> @Sendable () async throws -> [ShownFailure] {
        let locator = try await RawLocator(library: folder)
        let held = try photos.map { photo, edited throws(ServiceError) in
            guard let source = locator.path(of: photo.raws) else {
                throw ServiceError(
                    409, "raw-missing", "The RAW of \(photo.path) is not where it was.",
                    remedy: "Mount or put it there again.")
            }
            return (source, edited.recipe)
        }
        let requests = HeldPhotos.requests(held, lane: .interactive)
        let batches = requests.flatMap(\.submissions).map(\.batch)
        expect()
        return {
            await self.submitExpected(requests)
            await self.wait(for: batches)
            var failures: [ShownFailure] = []
            for batch in batches { failures += try await self.failures(of: batch) }
            return failures.filter { $0.group != "degraded" }
        }
    }

    /// Returns when no job of the batches is open.
    private func wait(for batches: [BatchID]) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(150))
            let isOver = try? await readingLedger(else: false) { store in
                var known: [BatchID: BatchReport] = [:]
                try store.reports.eachBatch { known[$0.batch] = $0 }
                return batches.allSatisfy { batch in
                    known[batch].map { $0.counts.accepted > 0 && $0.counts.open == 0 || $0.state == .cancelled }
                        ?? false
                }
            }
            if isOver == true { return }
            // What the library had already makes no batch.
            if !isWorking, !hasRequests { return }
        }
    }
}
