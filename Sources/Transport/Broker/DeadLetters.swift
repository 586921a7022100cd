public import Jobs
internal import Manifests
internal import Records

extension Delivery {
    /// A record for the topic ``Topics/deadLetter`` with this delivery's original bytes, its headers and the failure.
    ///
    /// - Parameters:
    ///   - attempts: how often the delivery's job was rendered.
    ///   - worker: the worker or role that rejects the record.
    ///   - parkedMilliseconds: the time of the rejection, since 1970.
    public func deadLetter(
        _ failure: Failure, attempts: UInt32 = 0, worker: String, parkedMilliseconds: Int64
    ) -> Record {
        let letter = DeadLetter(
            topic: position.partition.topic, partition: position.partition.partition, offset: position.offset,
            key: record.key, value: record.value, failure: failure, attempts: attempts, worker: worker,
            parkedMilliseconds: parkedMilliseconds)
        return Record(key: letter.key, value: letter.encoded(), headers: record.headers())
    }
}

extension Producer {
    /// Sends an unreadable delivery to the topic ``Topics/deadLetter``, so that the records behind it can be processed.
    /// Returns when it is durable there. Throws the errors of ``send(_:to:)``.
    ///
    /// - Parameters:
    ///   - role: the role that rejects the record.
    ///   - milliseconds: the time of the rejection, since 1970.
    public func park(_ delivery: Delivery, _ failure: Failure, role: String, atMilliseconds milliseconds: Int64)
        async throws
    {
        let letter = delivery.deadLetter(failure, worker: role, parkedMilliseconds: milliseconds)
        _ = try await send([letter], to: Topics.deadLetter)
    }
}
