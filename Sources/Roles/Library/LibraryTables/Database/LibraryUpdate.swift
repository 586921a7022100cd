internal import Synchronization

/// What a library's opening for writing says while it brings tables of an earlier version up to date: nothing else happens
/// meanwhile, and it takes some seconds for a million photos.
///
/// A process says it in one way, wherever it opens a library.
public enum LibraryUpdate: Sendable {
    case begins(folder: String)
    case ended(folder: String, after: Duration)

    /// Is told of an update as it goes.
    public typealias Observer = @Sendable (LibraryUpdate) -> Void
    private static let observer = Mutex<Observer?>(nil)

    /// Sets what is called when a library is updated, on the thread that opens it. Before it is set, nothing is called.
    public static func observe(_ observer: @escaping Observer) { Self.observer.withLock { $0 = observer } }

    func tell() {
        let observer = Self.observer.withLock { $0 }
        observer?(self)
    }
}
