internal import Concurrency
internal import Synchronization
public import Web

/// Sends events to all listeners, as server-sent events (WHATWG HTML, 2023, "Server-sent events").
///
/// The last events are kept for pages that reconnect. A listener that reads too slowly is disconnected, and its page
/// reconnects.
public final class EventHub: Sendable {
    struct Event: Sendable {
        let id: UInt64
        let bytes: [UInt8]
    }

    private struct State {
        var nextID: UInt64 = 1
        var kept: [Event] = []
        var listeners: [ObjectIdentifier: EventStream] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private static let maxKept = 500
    private static let maxListeners = 64

    /// Creates a hub without listeners.
    public init() {}

    /// Sends an event, with one line of JSON.
    ///
    /// - Parameter isKept: whether reconnecting listeners receive it; false for figures that the next event replaces.
    public func send(_ name: String, _ data: String, isKept: Bool = true) {
        let listeners = state.withLock { state -> [EventStream] in
            let id = state.nextID
            state.nextID += 1
            let event = Event(id: id, bytes: Array("id: \(id)\nevent: \(name)\ndata: \(data)\n\n".utf8))
            if isKept {
                state.kept.append(event)
                if state.kept.count > Self.maxKept { state.kept.removeFirst(state.kept.count - Self.maxKept) }
            }
            for listener in state.listeners.values { listener.append(event.bytes) }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.wake() }
    }

    /// Whether there are listeners.
    public var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// A stream of all events after the one with an id; nil if there are too many listeners.
    public func listen(after last: UInt64?) -> Response? {
        let stream = EventStream(self)
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.listeners.count < Self.maxListeners else { return false }
            stream.append(Array("retry: 2000\n\n".utf8))
            if let last { for event in state.kept where event.id > last { stream.append(event.bytes) } }
            state.listeners[ObjectIdentifier(stream)] = stream
            return true
        }
        guard isTaken else { return nil }
        return Response(contentType: "text/event-stream", content: .stream(stream))
    }

    fileprivate func remove(_ stream: EventStream) {
        state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(stream)) }
    }

    /// Ends all streams and refuses new ones.
    public func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.end() }
    }
}

private final class EventStream: ResponseStream {
    private struct State {
        var waiting: [UInt8] = []
        var isEnded = false
    }

    private let state = Mutex(State())
    private let news = ThreadSignal()
    private let hub: EventHub
    /// About a minute of a busy run.
    private static let maxWaitingBytes = 1 << 20

    init(_ hub: EventHub) { self.hub = hub }

    func append(_ bytes: [UInt8]) {
        state.withLock { state in
            if state.waiting.count > Self.maxWaitingBytes { state.isEnded = true } else { state.waiting += bytes }
        }
    }

    func wake() { news.signal() }

    func end() {
        state.withLock { $0.isEnded = true }
        news.signal()
    }

    func next(limit: Int) -> [UInt8]? {
        while true {
            let part = state.withLock { state -> [UInt8]? in
                if state.isEnded { return nil }
                let part = Array(state.waiting.prefix(limit))
                state.waiting.removeFirst(part.count)
                return part
            }
            guard let part else { return nil }
            if !part.isEmpty { return part }
            // A comment keeps the connection alive and detects a closed one.
            if !news.wait(limit: .seconds(10)) { return Array(": still here\n\n".utf8) }
        }
    }

    func close() { hub.remove(self) }
}
