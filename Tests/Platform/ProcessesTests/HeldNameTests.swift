import Processes
import Testing

@Suite("A held name")
struct HeldNameTests {
    private let name = "rawmill-test-\(UInt64.random(in: 0 ... .max))"

    @Test("is one holder's until that one lets it go")
    func once() {
        var first = HeldName(name)
        #expect(first != nil)
        #expect(HeldName(name) == nil)
        #expect(HeldName(name + "0") != nil)
        first = nil
        #expect(HeldName(name) != nil)
    }

    @Test("is refused where it is longer than an address")
    func long() { #expect(HeldName(String(repeating: "n", count: 200)) == nil) }
}
