public import Broker

/// A broker for the suite to test.
public struct BackEnd: Sendable {
    public let name: String
    /// Connects to a broker. It may have other topics already.
    public let connect: @Sendable () async throws -> Connection
    public let capabilities: Set<Capability>

    public enum Capability: Hashable, Sendable {
        /// The broker can be disconnected at any moment and connected again with `Connection.reconnect`.
        case survivesCrash
        /// The broker removes records soon after the last group has committed them.
        case trims
        /// The broker removes older records of a key at once.
        case compacts
        /// A topic can be deleted, or the whole broker lost, while clients have offsets in it.
        case forgetsTopics
        /// A member can commit its finished records before its partitions are revoked.
        case commitsWhileRebalancing
    }

    public struct Connection: Sendable {
        public let transport: any Transport
        /// Abandons the transport without closing it, and connects to the same broker again.
        public let reconnect: @Sendable () async throws -> any Transport

        public init(transport: any Transport, reconnect: @escaping @Sendable () async throws -> any Transport) {
            self.transport = transport
            self.reconnect = reconnect
        }
    }

    public init(
        name: String, capabilities: Set<Capability>, connect: @escaping @Sendable () async throws -> Connection
    ) {
        self.name = name
        self.capabilities = capabilities
        self.connect = connect
    }
}

/// One requirement for every back end.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// The requirement as a sentence.
    public let name: String
    let needs: Set<BackEnd.Capability>
    let body: @Sendable (Fixture) async throws -> Void

    init(
        _ name: String, needs: Set<BackEnd.Capability> = [], body: @escaping @Sendable (Fixture) async throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.body = body
    }

    public var description: String { name }

    public func applies(to backEnd: BackEnd) -> Bool { needs.isSubset(of: backEnd.capabilities) }

    /// - Throws: `ConformanceFailure` if the back end does not conform, or if the case does not end in time.
    public func run(on backEnd: BackEnd) async throws {
        try await withDeadline(.seconds(90), name) {
            let connection = try await backEnd.connect()
            do {
                try await body(Fixture(connection))
            } catch {
                await connection.transport.close()
                throw error
            }
            await connection.transport.close()
        }
    }
}

public enum BrokerConformance {
    public static let cases: [ConformanceCase] =
        orderCases + recordCases + deliveryCases + windowCases + groupCases + readerCases + crashCases

    /// Runs the cases that apply, several at a time, because over a network they mostly wait.
    ///
    /// - Parameter failed: receives each failed case with its error.
    public static func run(
        on backEnd: BackEnd, atOnce: Int = 8,
        failed: @escaping @Sendable (ConformanceCase, any Error) -> Void
    ) async {
        await runConcurrently(cases.filter { $0.applies(to: backEnd) }, atOnce: atOnce) { item in
            do { try await item.run(on: backEnd) } catch { failed(item, error) }
        }
    }
}

/// A broker did not meet a requirement.
public struct ConformanceFailure: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

func require(
    _ holds: Bool, _ complaint: @autoclosure () -> String, line: Int = #line, file: String = #fileID
) throws {
    if !holds { throw ConformanceFailure(description: "\(file):\(line): \(complaint())") }
}

func require<Value: Equatable>(
    _ found: Value, equals wanted: Value, _ what: String = "", line: Int = #line, file: String = #fileID
) throws {
    try require(found == wanted, "\(what) is \(found), not \(wanted)", line: line, file: file)
}
