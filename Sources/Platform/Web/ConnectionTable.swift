internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The connections of a server, in the order they came. The oldest one is closed where there are too many: a client
/// that sends a byte now and then never falls silent, and would else hold its place for ever.
final class ConnectionTable: Sendable {
    private struct Guest {
        let connection: UInt
        let socket: Int32
    }

    private let all = Mutex<[Guest]>([])
    private let most: Int

    init(most: Int) { self.most = most }

    func came(_ connection: OpaquePointer) {
        let guest = Guest(connection: UInt(bitPattern: connection), socket: rawmill_http_socket(connection))
        all.withLock { all in
            all.append(guest)
            while all.count > most {
                // The library closes the socket only after `left` had the lock: the number is still this guest's.
                shutdown(all.removeFirst().socket, Int32(SHUT_RDWR))
            }
        }
    }

    func left(_ connection: OpaquePointer) {
        let number = UInt(bitPattern: connection)
        all.withLock { all in
            if let index = all.firstIndex(where: { $0.connection == number }) { all.remove(at: index) }
        }
    }
}

/// What libmicrohttpd calls when a connection begins and before it ends.
func noteGuest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, moment: MHD_ConnectionNotificationCode
) {
    guard let context, let connection else { return }
    let guests = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue().guests
    switch moment {
    case .CONNECTION_NOTIFY_STARTED: guests.came(connection)
    default: guests.left(connection)
    }
}
