/// All keys in log lines. Names include units.
public enum Key: String, Hashable, Sendable, CaseIterable {
    case job
    case batch
    case round
    case attempt
    case source
    case asset
    case frame
    case look
    case rendition
    case photo
    case path
    case root
    case role
    case worker
    case group
    case lost
    case slot
    case process
    case signal
    case status
    case topic
    case partition
    case offset
    case reason
    case message
    case client
    case outcome
    case count
    case accepted
    case unchanged
    case completed
    case degraded
    case failed
    case cancelled
    case open
    case milliseconds
    case bytes
    case residentBytes = "resident_bytes"
    case limitMilliseconds = "limit_milliseconds"
    case version
    case limitBytes = "limit_bytes"
    case retryInMilliseconds = "retry_in_milliseconds"
}
