internal import Jobs
internal import Synchronization

/// Lets one of a worker's jobs at a time write a photo. Several jobs render the same photo if their RAWs are copies of
/// each other. A copy then finds the earlier photo instead of rendering it at the same time, and the path that the
/// photo names does not depend on timing.
final class PhotoLocks: Sendable {
    private let taken = Mutex<Set<RenditionKey>>([])

    fileprivate func take(_ photo: RenditionKey) -> Bool { taken.withLock { $0.insert(photo).inserted } }

    fileprivate func release(_ photo: RenditionKey) { taken.withLock { _ = $0.remove(photo) } }
}

/// The lock of one job, held from its first frame until its files are named and reported.
final class PhotoLock: Sendable {
    private let locks: PhotoLocks
    private let photo = Mutex<RenditionKey?>(nil)

    init(_ locks: PhotoLocks) { self.locks = locks }

    deinit { end() }

    /// Takes the lock of a photo, unless this job already has one. False while another job has it.
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
