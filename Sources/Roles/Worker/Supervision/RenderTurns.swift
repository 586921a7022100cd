internal import Jobs
internal import Synchronization

/// Whose turn it is to write a photo: of a worker's jobs that render the same one, because their RAWs are copies of each
/// other, one at a time. A copy then finds the photo that was made before it, instead of making it once more at the same
/// moment, and which path the photo names does not depend on which of them was quicker.
final class RenderTurns: Sendable {
    private let taken = Mutex<Set<RenditionKey>>([])

    /// - Returns: false if another job has it.
    fileprivate func take(_ photo: RenditionKey) -> Bool { taken.withLock { $0.insert(photo).inserted } }

    fileprivate func giveBack(_ photo: RenditionKey) { taken.withLock { _ = $0.remove(photo) } }
}

/// The turn of one job: from its first frame until what it rendered has its names, and is reported.
final class RenderTurn: Sendable {
    private let turns: RenderTurns
    private let photo = Mutex<RenditionKey?>(nil)

    init(_ turns: RenderTurns) { self.turns = turns }

    deinit { end() }

    /// Takes the turn for a photo, unless this job has one already.
    ///
    /// - Returns: false while another job has it.
    func take(_ photo: RenditionKey) -> Bool {
        self.photo.withLock { taken in
            if taken != nil { return true }
            guard turns.take(photo) else { return false }
            taken = photo
            return true
        }
    }

    func end() { if let photo = photo.withLock({ $0.take() }) { turns.giveBack(photo) } }
}
