import Broker

/// The environment of one case: a transport, names that no other case uses, and helpers.
struct Fixture: Sendable {
    let connection: BackEnd.Connection
    var transport: any Transport { connection.transport }
    private let tag = String(UInt64.random(in: 0...UInt64.max), radix: 36)

    init(_ connection: BackEnd.Connection) { self.connection = connection }

    /// The limit of every wait in the suite. It is generous, so that a slow machine does not fail.
    static let patience = Duration.seconds(30)

    /// The limit for waits that have to end early. A wait that was not woken lasts for the whole `patience`, which is
    /// much longer. A busy machine needs less.
    static let atOnce = Duration.seconds(10)

    func name(_ text: String) -> String { "conformance.\(tag).\(text)" }

    /// Creates a topic and returns its name.
    func topic(
        _ text: String = "topic", partitions: Int32 = 4, retention: Topic.Retention = .forever
    ) async throws -> String {
        try await transport.create([Topic(name: name(text), partitions: partitions, retention: retention)])
        return name(text)
    }

    func record(_ key: String, _ value: String) -> Record { Record(key: Array(key.utf8), value: Array(value.utf8)) }

    /// Sends `count` records with the values "0", "1", … and the keys "key 0" … "key 15".
    @discardableResult
    func send(_ count: Int, to topic: String, from first: Int = 0) async throws -> [Position] {
        let producer = try await transport.producer()
        let records = (first..<first + count).map { record("key \($0 % 16)", "\($0)") }
        let positions = try await producer.send(records, to: topic)
        await producer.close()
        return positions
    }

    func consumer(_ topics: String..., group: String = "group", inFlight: Int = 10_000) async throws
        -> any GroupConsumer
    {
        try await transport.consumer(group: name(group), topics: topics, inFlight: inFlight)
    }

    func committed(_ topic: String, group: String = "group") async throws -> [Int32: Int64] {
        try await transport.committed(group: name(group), topic: topic)
    }
}

extension GroupConsumer {
    /// Polls until there are `count` deliveries.
    func take(_ count: Int, line: Int = #line) async throws -> [Delivery] {
        try await gather(count, line) { try await poll(limit: $0, wait: .milliseconds(200)) }
    }

    /// The records that arrive within the given time. There should be none.
    func leftover(_ time: Duration = .milliseconds(300)) async throws -> [Delivery] {
        try await poll(limit: 1000, wait: time)
    }

    func finish(_ deliveries: some Sequence<Delivery>) async {
        for delivery in deliveries { await finish(delivery.position) }
    }
}

extension Reader {
    func take(_ count: Int, line: Int = #line) async throws -> [Delivery] {
        try await gather(count, line) { try await poll(limit: $0, wait: .milliseconds(200)) }
    }
}

private func gather(
    _ count: Int, _ line: Int, _ poll: (Int) async throws -> [Delivery]
) async throws -> [Delivery] {
    let deadline = ContinuousClock.now + Fixture.patience
    var found: [Delivery] = []
    while found.count < count {
        try require(ContinuousClock.now < deadline, "only \(found.count) of \(count) records came", line: line)
        let more = try await poll(min(1000, count - found.count))
        try require(more.count <= count - found.count, "a poll gave more than its limit", line: line)
        found += more
    }
    return found
}

extension Delivery {
    var text: String { record.value.map { String(decoding: $0, as: UTF8.self) } ?? "(none)" }
    var keyText: String { String(decoding: record.key, as: UTF8.self) }
    var number: Int { Int(text) ?? -1 }
}
