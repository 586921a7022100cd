/// An LRU cache with a limited number of values.
///
/// Large caches evict an eighth at a time, so an insertion costs `O(log maxCount)` on average.
///
///     var tables = BoundedCache<ToneKey, Table>(maxCount: 64)
///     let table = tables.value(of: key) { Table(key) }
public struct BoundedCache<Key: Hashable, Value> {
    fileprivate struct Entry {
        var value: Value
        var lastUse: UInt64
    }

    /// Capacity.
    public let maxCount: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0

    /// An empty cache.
    ///
    /// - Parameter maxCount: less than 1 counts as 1.
    public init(maxCount: Int) { self.maxCount = max(maxCount, 1) }

    /// Number of values.
    public var count: Int { entries.count }

    /// Value of a key; nil if missing. Reading counts as a use; setting nil removes it.
    public subscript(key: Key) -> Value? {
        mutating get {
            guard let index = entries.index(forKey: key) else { return nil }
            uses += 1
            entries.values[index].lastUse = uses
            return entries.values[index].value
        }
        set {
            guard let newValue else {
                entries[key] = nil
                return
            }
            if entries.count >= maxCount, entries[key] == nil { dropLeastRecentlyUsed() }
            uses += 1
            entries[key] = Entry(value: newValue, lastUse: uses)
        }
    }

    /// Value of a key, computed if missing.
    ///
    /// - Throws: what `make` throws; the cache is then unchanged.
    public mutating func value<Problem: Error>(
        of key: Key, make: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        if let value = self[key] { return value }
        let value = try make()
        self[key] = value
        return value
    }

    /// Modifies each value in place, without counting as a use.
    public mutating func updateAll(_ change: (inout Value) -> Void) {
        for index in entries.values.indices { change(&entries.values[index].value) }
    }

    /// Removes all values.
    public mutating func removeAll() { entries.removeAll() }

    private mutating func dropLeastRecentlyUsed() {
        let dropped = max(1, maxCount / 8)
        if dropped == 1 {
            if let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) { entries[oldest.key] = nil }
        } else {
            let limit = entries.values.map(\.lastUse).sorted()[dropped - 1]
            entries = entries.filter { $0.value.lastUse > limit }
        }
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
