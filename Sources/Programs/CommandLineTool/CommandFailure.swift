internal import LibraryTables
package import Storage

/// Why a command ended early: a sentence with the remedy, and the exit status.
package struct CommandFailure: Error, CustomStringConvertible {
    package let message: String
    package let status: Int32

    package var description: String { message }

    package init(_ message: String, status: Int32 = ExitStatus.usage) {
        self.message = message
        self.status = status
    }

    /// Wraps an error that reached the command line. The modules' errors describe themselves to users.
    package init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any ErrorWithStatus: self.init(error.description, status: error.exitStatus)
        case let error as LibraryError: self.init(error.description, status: Self.status(error.kind))
        case let error as StorageError: self.init("\(error). \(error.remedy)", status: ExitStatus.fault)
        default: self.init("\(error)", status: ExitStatus.fault)
        }
    }

    /// The exit status for an unusable folder: 64 for a wrong argument, 70 if the disk failed or another process uses
    /// it.
    package static func status(_ error: StorageError) -> Int32 {
        switch error.kind {
        case .notFound, .pathEscapesRoot, .permissionDenied, .wrongKind, .exists, .badPath, .tooLarge: ExitStatus.usage
        case .readOnly, .diskFull, .locked, .changed, .unavailable: ExitStatus.fault
        }
    }

    /// The caller can correct a folder that is not a library, but not a failed disk or another process that uses it.
    private static func status(_ kind: LibraryError.Kind) -> Int32 {
        switch kind {
        case .notFound, .newer, .older: ExitStatus.usage
        case .busy, .diskFull, .damaged, .unavailable: ExitStatus.fault
        }
    }
}
