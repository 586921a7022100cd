public import Jobs
internal import Manifests
internal import Records

extension Delivery {
    /// The record that keeps this delivery on the topic ``Topics/deadLetter``: its own bytes, as they came, with the
    /// failure. Its headers are passed on.
    ///
    /// - Parameters:
    ///   - attempts: how often the delivery's job was rendered.
    ///   - worker: the name of the worker, or the role, that gives the record up.
    ///   - parkedMilliseconds: when, in milliseconds since 1970.
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
    /// Parks a delivery that cannot be read on the topic ``Topics/deadLetter``, and returns when that is durable: the
    /// records behind it can go on.
    ///
    /// - Parameters:
    ///   - role: the name of the role that gives the record up.
    ///   - milliseconds: when, since 1970.
    /// - Throws: what ``send(_:to:)`` throws.
    public func park(_ delivery: Delivery, _ failure: Failure, role: String, atMilliseconds milliseconds: Int64)
        async throws
    {
        let letter = delivery.deadLetter(failure, worker: role, parkedMilliseconds: milliseconds)
        _ = try await send([letter], to: Topics.deadLetter)
    }
}
