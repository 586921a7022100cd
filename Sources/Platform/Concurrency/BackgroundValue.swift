internal import Synchronization

/// A value that is computed once, on a separate thread.
public final class BackgroundValue<Value: Sendable>: Sendable {
    /// Readers that arrive during the computation wait for the lock.
    private final class Slot: Sendable {
        private let made = Mutex<Value?>(nil)
        private let make: @Sendable () -> Value

        init(_ make: @escaping @Sendable () -> Value) { self.make = make }

        var value: Value {
            made.withLock { made in
                if let made { return made }
                let value = make()
                made = value
                return value
            }
        }
    }

    private let slot: Slot
    private let thread: Mutex<BackgroundThread>

    /// Starts the computation, on a thread of the team or a new one. Releasing the last reference waits for it.
    public init(of team: ThreadTeam? = nil, _ make: @escaping @Sendable () -> Value) {
        let slot = Slot(make)
        self.slot = slot
        thread = Mutex(BackgroundThread(of: team) { _ = slot.value })
    }

    /// Waits for the value.
    public var value: Value { slot.value }
}
