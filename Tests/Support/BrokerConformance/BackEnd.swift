public import Broker

/// A broker to be put through the suite.
public struct BackEnd: Sendable {
    public let name: String
    /// Connects to an empty broker, or to one whose other topics do not mind.
    public let connect: @Sendable () async throws -> Connection
    public let capabilities: Set<Capability>

    public enum Capability: Hashable, Sendable {
        /// The broker can be cut off at any moment and connected to again: `Connection.reconnect`.
        case survivesCrash
        /// Records that every group is past go soon after a commit.
        case trims
        /// Older records of a key go at once.
        case compacts
        /// A member whose partitions are about to go can commit what it finished in them.
        case commitsWhileRebalancing
    }

    public struct Connection: Sendable {
        public let transport: any Transport
        /// Lets go of the transport without closing anything, and connects to the same broker again.
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

/// One thing that every back end has to do.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// A sentence.
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

    /// - Throws: `ConformanceFailure` where the back end does something else, or where it does not end.
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

    /// Runs the cases that apply, several at a time: over a network most of their time is waiting.
    ///
    /// - Parameter failed: is told of each case that did not hold.
    public static func run(
        on backEnd: BackEnd, atOnce: Int = 8,
        failed: @escaping @Sendable (ConformanceCase, any Error) -> Void
    ) async {
        await runConcurrently(cases.filter { $0.applies(to: backEnd) }, atOnce: atOnce) { item in
            do { try await item.run(on: backEnd) } catch { failed(item, error) }
        }
    }
}

/// A broker that did not do as the suite demands.
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
