/// Headers of a job's record. What changes on the job's way is here, so that the job's bytes are passed on as they came.
public enum JobHeader {
    /// The batch's epoch when the record was sent. A batch status with a higher epoch makes the record out of date.
    public static let epoch = "rawmill-epoch"
    /// Renders of the job that failed so far.
    public static let failures = "rawmill-failures"
    /// When it may be tried again, in milliseconds since 1970.
    public static let notBefore = "rawmill-not-before"
    /// The identity of the library that the job's photo goes to.
    public static let library = "rawmill-library"
    /// The W3C trace context of the submission.
    public static let traceparent = "traceparent"
}
