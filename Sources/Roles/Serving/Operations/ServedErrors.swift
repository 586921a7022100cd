internal import Albums
internal import ClusterControl
internal import Coordinator
internal import Database
internal import LibraryTables
internal import Runs
internal import Selection
internal import Storage
internal import WebService

/// Translates errors of other parts for the page's user.
enum ServedErrors {
    static func explained(_ error: any Error) -> ServiceError {
        switch error {
        case let error as ServiceError: error
        case let error as StorageError:
            storage(error, "\(error).")
        case LedgerError.closed:
            ServiceError(503, "busy", "The previous run is still ending.", retryAfterSeconds: 1)
        case let error as LibraryError: ServiceError(503, "library", "\(error)", retryAfterSeconds: 5)
        case let error as DatabaseError: ServiceError(503, "library", "\(error)", retryAfterSeconds: 5)
        case is RunError, is ControlError: ServiceError(409, "not-possible", "\(error)", retryAfterSeconds: 5)
        case AlbumError.unknown: ServiceError(404, "unknown-album", "\(error)", remedy: "Load the page again.")
        case let error as PhotoNameError: ServiceError(404, "unknown-photo", "\(error)")
        default: ServiceError(500, "internal", "\(error)")
        }
    }

    /// - Parameter message: the failure, as a sentence.
    static func storage(_ error: StorageError, _ message: String) -> ServiceError {
        let isFull = error.kind == .diskFull
        return ServiceError(
            isFull ? 507 : 503, "storage", message,
            remedy: isFull ? "Free some space." : "Check the library's disk and its permissions.", retryAfterSeconds: 10
        )
    }
}
