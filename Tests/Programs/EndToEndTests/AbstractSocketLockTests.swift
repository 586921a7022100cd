import Testing

@testable import rawmill_torture

@Suite("A lock by an abstract socket address")
struct AbstractSocketLockTests {
    private let name = "rawmill-test-\(UInt64.random(in: 0 ... .max))"

    @Test("has one owner until the owner releases it")
    func exclusion() {
        var first = AbstractSocketLock(name)
        #expect(first != nil)
        #expect(AbstractSocketLock(name) == nil)
        #expect(AbstractSocketLock(name + "0") != nil)
        first = nil
        #expect(AbstractSocketLock(name) != nil)
    }

    @Test("is refused if its name exceeds an address")
    func longName() { #expect(AbstractSocketLock(String(repeating: "n", count: 200)) == nil) }
}
