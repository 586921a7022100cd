internal import Synchronization

/// Progress of updating an earlier version's tables while a library opens, which takes seconds for a million photos.
public enum LibraryUpdate: Sendable {
    case begins(folder: String)
    case ended(folder: String, after: Duration)

    /// Receives each event.
    public typealias Observer = @Sendable (LibraryUpdate) -> Void
    private static let observer = Mutex<Observer?>(nil)

    /// Sets the process's observer, called on the thread that opens a library. Without one, no event is reported.
    public static func observe(_ observer: @escaping Observer) { Self.observer.withLock { $0 = observer } }

    func tell() {
        let observer = Self.observer.withLock { $0 }
        observer?(self)
    }
}
