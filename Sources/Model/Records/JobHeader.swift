/// Names of headers that a job's record has beside the job, so that its bytes are passed on as they came.
public enum JobHeader {
    /// The batch's epoch when the record was sent: a status with a higher one puts the record out of date.
    public static let epoch = "rawmill-epoch"
    /// Renders of the job that failed so far.
    public static let failures = "rawmill-failures"
    /// Milliseconds since 1970 before which it is not to be tried.
    public static let notBefore = "rawmill-not-before"
    /// The W3C trace context of the submission.
    public static let traceparent = "traceparent"
}
