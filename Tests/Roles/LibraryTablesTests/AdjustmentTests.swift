import Digest
import Jobs
import Testing

@testable import LibraryTables

@Suite("Adjustment data") struct AdjustmentTests {
    let recipe: Recipe

    init() throws {
        let look = try #require(LookReference(name: "velvet", version: 2, digest: SHA256Value(of: [1, 2])))
        recipe = Recipe(look: look, exposureStops: 0.5)
    }

    @Test("A recipe survives a round trip")
    func known() { #expect(Adjustment(recipe).reading == .recipe(recipe)) }

    @Test(
        "An unknown format or version is final, and the text states it",
        arguments: [("org.other.edit", "1.0"), ("org.rawmill.recipe", "2.0"), ("org.rawmill.recipe", "1.0 ")])
    func unknown(identifier: String, version: String) {
        let edit = Adjustment(formatIdentifier: identifier, formatVersion: version, data: recipe.canonicalText)
        guard case .final(let text) = edit.reading else {
            Issue.record("\(identifier) \(version) was read as a recipe")
            return
        }
        #expect(text.contains(identifier) && text.contains("final"))
    }

    @Test("Data that is not exactly a recipe is final")
    func damaged() {
        let edit = Adjustment(
            formatIdentifier: Adjustment.identifier, formatVersion: Adjustment.version,
            data: recipe.canonicalText + "grain=2\n")
        guard case .final = edit.reading else {
            Issue.record("damaged data was read")
            return
        }
    }
}
