import ExternalTools
import Foundation
import Testing

@testable import Looks

@Suite("The schema of looks in YAML")
struct LookSchemaTests {
    private func read(_ step: String) throws(LookError) -> [UInt8] {
        try LookFile.whole(Array("rawmill-look: 1\nname: a\nsteps:\n  - {\(step)}\n".utf8)) {
            (_: String) throws(LookError) in
            Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)
        }
    }

    @Test("The schema file equals the one generated from the parser's tables")
    func file() throws {
        let path = "Sources/Programs/rawmill/Documentation.docc/Resources/rawmill-look.schema.json"
        let kept = try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
        #expect(kept == LookSchema.text, "`rawmill looks schema > \(path)` writes it anew")
    }

    /// Accepted and refused values of a property's schema.
    private func values(_ schema: [String: Any]) throws -> (taken: [String], refused: [String]) {
        if let name = schema["const"] as? String { return ([name], ["nothing"]) }
        if let names = schema["enum"] as? [String] { return (names, ["nothing"]) }
        if schema["type"] as? String == "string" { return (["a.cube"], []) }
        let number = schema["items"] as? [String: Any] ?? schema
        let low = try #require(number["minimum"] as? Double)
        let high = try #require(number["maximum"] as? Double)
        let ends = ["\(low)", "\(high)", "\((low + high) / 2)"]
        let beyond = ["\(low - 0.001)", "\(high + 0.001)", "much"]
        guard let count = schema["minItems"] as? Int else { return (ends, beyond + ["[\(low), \(low)]"]) }
        func list(_ number: String, _ count: Int) -> String {
            "[" + Array(repeating: number, count: count).joined(separator: ", ") + "]"
        }
        return (ends.map { list($0, count) }, beyond.map { list($0, count) } + [list(ends[0], count - 1), ends[0]])
    }

    @Test("Each step accepts exactly what the schema accepts")
    func steps() throws {
        let schema = try #require(
            JSONSerialization.jsonObject(with: Data(LookSchema.text.utf8)) as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        let items = try #require(properties["steps"]?["items"] as? [String: Any])
        let steps = try #require(items["oneOf"] as? [[String: Any]])
        #expect(steps.count == 3 + CoreImageEffects.list.count)
        for step in steps {
            let kind = try #require((step["required"] as? [String])?.first)
            let properties = try #require(step["properties"] as? [String: [String: Any]])
            let own = try values(try #require(properties[kind]))
            let parameters = properties.filter { $0.key != kind }
            for value in own.taken { #expect(throws: Never.self) { try read("\(kind): \(value)") } }
            for value in own.refused { #expect(throws: LookError.self) { try read("\(kind): \(value)") } }
            for (name, parameter) in parameters {
                let found = try values(parameter)
                for value in found.taken {
                    #expect(throws: Never.self) { try read("\(kind): \(own.taken[0]), \(name): \(value)") }
                }
                for value in found.refused {
                    #expect(throws: LookError.self, "\(kind) \(name) \(value)") {
                        try read("\(kind): \(own.taken[0]), \(name): \(value)")
                    }
                }
            }
            #expect(throws: LookError.self) { try read("\(kind): \(own.taken[0]), glow: 1") }
        }
    }
}
