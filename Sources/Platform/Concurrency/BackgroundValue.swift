internal import Synchronization

/// A value that is made once, on a thread of its own, while its owner goes on.
public final class BackgroundValue<Value: Sendable>: Sendable {
    /// The value, and how it is made. Who comes while it is being made waits for the lock.
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

    /// Starts to make the value. The last reference waits until it is made.
    ///
    /// - Parameter team: has the thread; nil for a new one.
    public init(of team: ThreadTeam? = nil, _ make: @escaping @Sendable () -> Value) {
        let slot = Slot(make)
        self.slot = slot
        thread = Mutex(BackgroundThread(of: team) { _ = slot.value })
    }

    /// The value, as soon as it is made.
    public var value: Value { slot.value }
}
