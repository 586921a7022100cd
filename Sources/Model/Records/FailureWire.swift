internal import Jobs
internal import Wire

extension FailureReason {
    var wire: Rawmill__V1__FailureReason {
        switch self {
        case .notRaw: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_NOT_RAW
        case .unsupportedCamera: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_UNSUPPORTED_CAMERA
        case .corrupt: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_CORRUPT
        case .tooLarge: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_TOO_LARGE
        case .timeout: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_TIMEOUT
        case .outOfMemory: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_OUT_OF_MEMORY
        case .decoderCrashed: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_DECODER_CRASHED
        case .pathEscapesRoot: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_PATH_ESCAPES_ROOT
        case .sourceMissing: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_SOURCE_MISSING
        case .sourceChanged: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_SOURCE_CHANGED
        case .sourceUnreadable: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_SOURCE_UNREADABLE
        case .diskFull: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_DISK_FULL
        case .storageUnavailable: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_STORAGE_UNAVAILABLE
        case .unknownLook: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_UNKNOWN_LOOK
        case .unknownRoot: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_UNKNOWN_ROOT
        case .newerWriter: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_NEWER_WRITER
        case .malformedRecord: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_MALFORMED_RECORD
        case .tooManyStarts: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_TOO_MANY_STARTS
        case .internalError: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_INTERNAL
        case .libraryRefused: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_LIBRARY_REFUSED
        case .sandboxViolation: RAWMILL__V1__FAILURE_REASON__FAILURE_REASON_SANDBOX_VIOLATION
        }
    }
}

extension Failure {
    func wire(_ arena: Arena) -> Rawmill__V1__Failure {
        var failure = Rawmill__V1__Failure()
        rawmill__v1__failure__init(&failure)
        failure.reason = reason.wire
        failure.message = arena.text(message, limit: RecordLimit.message)
        failure.signal = UInt32(clamping: signal ?? 0)
        return failure
    }

    init(wire failure: Rawmill__V1__Failure) throws(RecordError) {
        let signal = try inRange(failure.signal, 0...127, "failure.signal")
        self.init(
            try known(failure.reason, "failure.reason") { (reason: FailureReason) in reason.wire },
            try failure.message.text("failure.message"), signal: signal == 0 ? nil : Int32(signal))
    }
}
