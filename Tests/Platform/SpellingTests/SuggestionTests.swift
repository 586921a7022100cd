import Testing

@testable import Spelling

struct SuggestionTests {
    @Test(
        "Distance counts insertions, deletions, changes and swaps",
        arguments: [
            ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("quality", "qualty", 1), ("ab", "ba", 1),
            ("kitten", "sitting", 3),
        ])
    func distance(a: String, b: String, expected: Int) {
        #expect(Suggestion.distance(Array(a.utf8), Array(b.utf8)) == expected)
        #expect(Suggestion.distance(Array(b.utf8), Array(a.utf8)) == expected)
    }

    @Test("A word far from all others suggests nothing, the beginning of one suggests it")
    func nearest() {
        #expect(Suggestion.nearest(to: "banana", among: ["quality", "look"]) == nil)
        #expect(Suggestion.nearest(to: "qual", among: ["quality", "look"]) == "quality")
        #expect(Suggestion.nearest(to: "x", among: []) == nil)
    }
}
