import Manifests
import Testing

@Suite("A photo's facts") struct PhotoFactTests {
    /// A value that differs from the default.
    private func value(_ fact: PhotoFact) -> FactValue {
        switch fact.kind {
        case .text: .text("a b")
        case .lines: .text("lake\nnight")
        case .whole(let range): .whole(range.upperBound)
        case .number(let range): .number(range.lowerBound + (range.upperBound - range.lowerBound) / 4)
        }
    }

    @Test(
        "Each fact is set and read by the list, as a value and as text, and changes no other",
        arguments: PhotoFact.all.map(\.key))
    func roundTrip(key: String) throws {
        let fact = try #require(PhotoFact.named(key))
        var facts = PhotoFacts()
        let value = value(fact)
        fact.set(value, in: &facts)
        #expect(fact.value(in: facts) == value)
        #expect(fact.value(value.text) == value)
        for other in PhotoFact.all where other.key != key {
            #expect(other.value(in: facts) == other.value(in: PhotoFacts()), "\(other.key)")
        }
        #expect(facts != PhotoFacts())
        fact.set(nil, in: &facts)
        #expect(facts == PhotoFacts())
    }

    @Test("A value of another kind, or out of range, counts as unknown")
    func refused() throws {
        let rating = try #require(PhotoFact.named("rating"))
        var facts = PhotoFacts()
        for value in [FactValue.whole(6), .text("5"), .number(3)] {
            rating.set(value, in: &facts)
            #expect(facts.rating == nil)
        }
        #expect(rating.value("6") == nil && rating.value("x") == nil && rating.value("5") == .whole(5))
    }

    @Test("Names of facts, columns and fields are unique")
    func names() {
        #expect(Set(PhotoFact.all.map(\.key)).count == PhotoFact.all.count)
        #expect(Set(PhotoFact.all.map(\.column)).count == PhotoFact.all.count)
        let fields = PhotoFact.all.compactMap(\.field)
        #expect(Set(fields).count == fields.count)
        #expect(PhotoFact.named("lensName")?.column == "lens_name")
    }

    @Test(
        "A camera's name has the maker once",
        arguments: [
            ("NIKON CORPORATION", "NIKON D850", "NIKON D850"), ("Canon", "Canon EOS 5D", "Canon EOS 5D"),
            ("Sony", "ILCE-7M3", "Sony ILCE-7M3"), ("", "X'1", "X'1"), ("Leica", "", "Leica"), ("", "", ""),
            ("LEICA CAMERA AG", "Leica Q2", "Leica Q2"),
        ])
    func camera(make: String, model: String, name: String) {
        #expect(PhotoFacts(make: make, model: model).camera == name)
    }

    @Test("Facts are shown in common notation")
    func shown() throws {
        let facts = PhotoFacts(make: "Canon", captured: "2024:05:01 10:00:00", rating: 3)
        func text(_ key: String) -> String? { PhotoFact.named(key)?.text(in: facts) }
        #expect(text("captured") == "2024-05-01 10:00:00")
        #expect(text("rating") == "★★★")
        #expect(text("make") == "Canon" && text("model") == nil && text("lens") == nil)
        #expect(PhotoFact.named("rating")?.text(in: PhotoFacts(rating: 0)) == nil)
    }

    @Test(
        "Exposures are shown as on cameras",
        arguments: [(0.004, "1/250 s"), (0.3, "0.3 s"), (30, "30 s"), (1.0 / 3, "0.33 s")])
    func exposures(seconds: Double, text: String) {
        var facts = PhotoFacts()
        (facts.exposureSeconds, facts.aperture, facts.focalLength) = (seconds, 2.8, 24)
        func shown(_ key: String) -> String? { PhotoFact.named(key)?.text(in: facts) }
        #expect(shown("exposureSeconds") == text)
        #expect(shown("aperture") == "f/2.8" && shown("focalLength") == "24 mm")
    }
}
