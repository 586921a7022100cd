internal import Concurrency
internal import Jobs
internal import Storage

/// Photos that are written while the rows are that will show them. They have no names before the rows are committed;
/// without a name they go with the process, or with `drop`.
final class EarlyPhotos {
    private var work: (links: [PendingLink], photos: BackgroundValue<[StagedPhoto?]>)?
    private var photos: [PendingLink: StagedPhoto] = [:]

    /// Begins to write the photos of those names that are free.
    func begin(_ links: [PendingLink], in root: Root) {
        drop()
        if !links.isEmpty { work = (links, BackgroundValue(of: .shared) { FreeNames.stage(links, in: root) }) }
    }

    /// The photo for a name, if there is one that shows just that. Waits until all are written.
    func take(_ link: PendingLink) -> StagedPhoto? {
        if let work {
            for (link, photo) in zip(work.links, work.photos.value) { photos[link] = photo }
            self.work = nil
        }
        return photos.removeValue(forKey: link)
    }

    /// Forgets those that were not taken.
    func drop() {
        work = nil
        photos.removeAll()
    }
}
