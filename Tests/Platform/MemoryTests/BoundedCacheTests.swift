import Memory
import Testing

struct BoundedCacheTests {
    private struct Refusal: Error {}

    @Test("A value is made once while it is held")
    func making() {
        var cache = BoundedCache<Int, String>(maxCount: 2)
        var made: [Int] = []
        func value(_ key: Int) -> String {
            cache.value(of: key) {
                made.append(key)
                return "\(key)"
            }
        }
        #expect([1, 1, 2, 1].map(value) == ["1", "1", "2", "1"])
        #expect(made == [1, 2])
    }

    @Test("The least recently used value is removed first")
    func leastRecentlyUsed() {
        var cache = BoundedCache<Int, Int>(maxCount: 3)
        for key in 1...3 { cache[key] = key }
        #expect(cache[1] == 1)
        cache[4] = 4
        #expect(cache[2] == nil)
        #expect([1, 3, 4].map { cache[$0] } == [1, 3, 4])
    }

    @Test("Replacing a held key removes no other value")
    func replacing() {
        var cache = BoundedCache<Int, Int>(maxCount: 2)
        cache[1] = 1
        cache[2] = 2
        cache[1] = 10
        #expect(cache.count == 2)
        #expect([1, 2].map { cache[$0] } == [10, 2])
    }

    @Test("A large cache never exceeds its limit and keeps what is used", arguments: [16, 100, 1000])
    func large(maxCount: Int) {
        var cache = BoundedCache<Int, Int>(maxCount: maxCount)
        for key in 0..<maxCount * 5 {
            cache[key] = key
            #expect(cache[0] == 0)
            #expect(cache.count <= maxCount)
        }
        #expect(cache.count > maxCount * 3 / 4)
        #expect(cache[maxCount * 5 - 1] == maxCount * 5 - 1)
    }

    @Test("A value that could not be made is not held")
    func failing() {
        var cache = BoundedCache<Int, Int>(maxCount: 0)
        #expect(throws: Refusal.self) { try cache.value(of: 1) { () throws(Refusal) in throw Refusal() } }
        #expect(cache.count == 0 && cache[1] == nil)
        cache[1] = 1
        cache[2] = 2
        #expect(cache.maxCount == 1 && cache[1] == nil && cache[2] == 2)
    }

    @Test("Values are changed in place, and removed one by one or all at once")
    func changing() {
        var cache = BoundedCache<Int, Int>(maxCount: 4)
        for key in 1...4 { cache[key] = key }
        cache.updateAll { $0 *= 10 }
        cache[2] = nil
        #expect([1, 2, 3].map { cache[$0] } == [10, nil, 30])
        cache.removeAll()
        #expect(cache.count == 0)
    }
}
