/// The headers of a job's record. They hold what changes on the job's way, so that the job's bytes are passed on
/// unchanged.
public enum JobHeader {
    /// The batch's epoch when the record was sent. A batch status with a higher epoch makes the record out of date.
    public static let epoch = "rawmill-epoch"
    /// The number of failed renders of the job.
    public static let failures = "rawmill-failures"
    /// The earliest time of the next attempt, in milliseconds since 1970.
    public static let notBefore = "rawmill-not-before"
    /// The identity of the library for the job's photo.
    public static let library = "rawmill-library"
    /// The W3C trace context of the submission.
    public static let traceparent = "traceparent"
}
