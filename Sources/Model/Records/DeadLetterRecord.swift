internal import Jobs
public import Manifests
internal import Wire

extension DeadLetter {
    /// The protobuf message `DeadLetter`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `DeadLetter`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.deadLetter, rawmill__v1__dead_letter__unpack) {
            (letter) throws(RecordError) in try DeadLetter(wire: letter)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__DeadLetter {
        var letter = Rawmill__V1__DeadLetter()
        rawmill__v1__dead_letter__init(&letter)
        letter.topic = arena.text(topic, limit: RecordLimit.name)
        letter.partition = partition
        letter.offset = offset
        letter.key = arena.bytes(key)
        if let value {
            letter.original_case = RAWMILL__V1__DEAD_LETTER__ORIGINAL_VALUE
            letter.value = arena.bytes(value)
        }
        letter.failure = arena.pointer(to: failure.wire(arena))
        letter.attempts = attempts
        letter.worker = arena.text(worker, limit: RecordLimit.name)
        letter.engine = engine
        letter.parked_milliseconds = parkedMilliseconds
        return letter
    }

    private init(wire letter: Rawmill__V1__DeadLetter) throws(RecordError) {
        self.init(
            topic: try letter.topic.text("topic"), partition: try inRange(letter.partition, 0...Int32.max, "partition"),
            offset: try inRange(letter.offset, 0...Int64.max, "offset"), key: letter.key.array,
            value: letter.original_case == RAWMILL__V1__DEAD_LETTER__ORIGINAL_VALUE ? letter.value.array : nil,
            failure: try Failure(wire: required(letter.failure, "failure")), attempts: letter.attempts,
            worker: try letter.worker.text("worker"), engine: letter.engine,
            parkedMilliseconds: letter.parked_milliseconds)
    }
}
