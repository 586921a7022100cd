/// What a person tells the running parts, over the control topic.
public struct Control: Hashable, Sendable {
    public enum Action: Hashable, Sendable, CaseIterable {
        case pause, resume
        /// Jobs of the batch that were not started end here.
        case cancel
    }

    public let action: Action
    /// Nil is everything; a cancellation always names its batch.
    public let batch: BatchID?

    /// Nil for a cancellation of everything.
    public init?(_ action: Action, batch: BatchID?) {
        if action == .cancel, batch == nil { return nil }
        self.action = action
        self.batch = batch
    }
}
