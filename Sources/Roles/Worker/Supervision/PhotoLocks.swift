internal import Jobs
internal import Synchronization

/// Which job may write a photo: of a worker's jobs that render the same one, because their RAWs are copies of each
/// other, one at a time. A copy then finds the photo that was made before it, instead of making it once more at the same
/// moment, and which path the photo names does not depend on which of them was quicker.
final class PhotoLocks: Sendable {
    private let taken = Mutex<Set<RenditionKey>>([])

    /// - Returns: false if another job has it.
    fileprivate func take(_ photo: RenditionKey) -> Bool { taken.withLock { $0.insert(photo).inserted } }

    fileprivate func release(_ photo: RenditionKey) { taken.withLock { _ = $0.remove(photo) } }
}

/// The lock of one job: held from its first frame until what it rendered has its names, and is reported.
final class PhotoLock: Sendable {
    private let locks: PhotoLocks
    private let photo = Mutex<RenditionKey?>(nil)

    init(_ locks: PhotoLocks) { self.locks = locks }

    deinit { end() }

    /// Takes the lock of a photo, unless this job has one already.
    ///
    /// - Returns: false while another job has it.
    func take(_ photo: RenditionKey) -> Bool {
        self.photo.withLock { taken in
            if taken != nil { return true }
            guard locks.take(photo) else { return false }
            taken = photo
            return true
        }
    }

    func end() { if let photo = photo.withLock({ $0.take() }) { locks.release(photo) } }
}
