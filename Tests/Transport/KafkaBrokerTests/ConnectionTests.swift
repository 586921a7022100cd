import Broker
import Synchronization
import Testing

@testable import KafkaBroker

/// librdkafka's statistics about connections: after each new connection the cluster behind the address may be another.
@Suite struct ConnectionTests {
    /// A client's reports of these statistics.
    private func connections(_ statistics: [(up: Int, disconnects: [Int])]) -> Int {
        let count = Mutex(0)
        let context = ClientContext { event in if event == .connected { count.withLock { $0 += 1 } } }
        for (up, disconnects) in statistics {
            var text = disconnects.enumerated().map { number, disconnects in
                #"{ "name":"b\#(number)", "state":"\#(number < up ? "UP" : "DOWN")", "disconnects":\#(disconnects) }"#
            }.joined(separator: ", ")
            text.withUTF8 { context.measured(ClientStatistics(UnsafeRawBufferPointer($0))) }
        }
        return count.withLock { $0 }
    }

    @Test("A connection that ended before a client's first statistics is reported")
    func beforeTheFirst() { #expect(connections([(0, [1]), (1, [1]), (1, [1])]) == 1) }

    @Test("The first connection of a client is reported, because it may replace another client's")
    func first() { #expect(connections([(0, [0]), (1, [0]), (1, [0])]) == 1) }

    @Test("A connection that ended and came back between two statistics is reported")
    func between() { #expect(connections([(1, [0]), (1, [1]), (1, [1]), (0, [2]), (1, [2])]) == 3) }

    @Test("Connections are reported even if the list of brokers was recreated with smaller counts")
    func rebuilt() { #expect(connections([(2, [1, 3]), (1, [0]), (1, [0])]) == 2) }
}
