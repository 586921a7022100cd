import Processes
import Testing

@Suite("A held name")
struct HeldNameTests {
    private let name = "rawmill-test-\(UInt64.random(in: 0 ... .max))"

    @Test("is one holder's until that one lets it go")
    func once() {
        var first = AbstractSocketLock(name)
        #expect(first != nil)
        #expect(AbstractSocketLock(name) == nil)
        #expect(AbstractSocketLock(name + "0") != nil)
        first = nil
        #expect(AbstractSocketLock(name) != nil)
    }

    @Test("is refused where it is longer than an address")
    func long() { #expect(AbstractSocketLock(String(repeating: "n", count: 200)) == nil) }
}
