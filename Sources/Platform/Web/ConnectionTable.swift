internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Open connections of a server, oldest first. Beyond the limit the oldest is closed: a client that sends a byte now
/// and then never times out, and could hold its connection for ever.
final class ConnectionTable: Sendable {
    private struct Connection {
        let id: UInt
        let socket: Int32
    }

    private let connections = Mutex<[Connection]>([])
    private let max: Int

    init(max: Int) { self.max = max }

    func add(_ connection: OpaquePointer) {
        let entry = unsafe Connection(id: UInt(bitPattern: connection), socket: rawmill_http_socket(connection))
        connections.withLock { all in
            all.append(entry)
            while all.count > max {
                // The library closes the socket only after `remove`, so the descriptor is still valid.
                shutdown(all.removeFirst().socket, Int32(SHUT_RDWR))
            }
        }
    }

    func remove(_ connection: OpaquePointer) {
        let id = UInt(bitPattern: connection)
        connections.withLock { all in
            if let index = all.firstIndex(where: { $0.id == id }) { all.remove(at: index) }
        }
    }
}

/// libmicrohttpd calls this when a connection begins, and before it ends.
func trackConnection(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, moment: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection else { return }
    let connections = unsafe Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue().connections
    switch moment {
    case .CONNECTION_NOTIFY_STARTED: unsafe connections.add(connection)
    default: unsafe connections.remove(connection)
    }
}
