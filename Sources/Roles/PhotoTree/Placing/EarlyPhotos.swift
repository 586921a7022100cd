internal import Concurrency
internal import Jobs
internal import LibraryTables
internal import Storage

/// Photos written while their rows are. They get names after the commit; otherwise `drop` or the end of the process
/// removes them.
final class EarlyPhotos {
    private var work: (links: [PendingLink], photos: BackgroundValue<[StagedPhoto?]>)?
    private var photos: [PendingLink: StagedPhoto] = [:]

    /// Starts writing photos for free names.
    func begin(_ links: [PendingLink], in root: Root) {
        drop()
        if !links.isEmpty { work = (links, BackgroundValue(of: .shared) { FreeNames.stage(links, in: root) }) }
    }

    /// The photo for a name with the same content, if any. Waits for all.
    func take(_ link: PendingLink) -> StagedPhoto? {
        if let work {
            for (link, photo) in zip(work.links, work.photos.value) { photos[link] = photo }
            self.work = nil
        }
        return photos.removeValue(forKey: link)
    }

    /// Removes the photos not taken.
    func drop() {
        work = nil
        photos.removeAll()
    }
}
