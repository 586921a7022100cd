import Foundation
import Jobs
import Testing

/// The description of the HTTP interface has exactly the settings of the lists.
@Suite("Settings in the description of the HTTP interface") struct SettingDocumentTests {
    private let document: [String: Any]

    init() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Page/openapi.json").standardizedFileURL
        document = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
    }

    private func parameters() throws -> [String: [String: Any]] {
        let components = try #require(document["components"] as? [String: Any])
        return try #require(components["parameters"] as? [String: [String: Any]])
    }

    /// The settings that an operation refers to, without `recipe-`.
    private func settings(_ path: String, _ method: String) throws -> [String] {
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let parameters = try #require(paths[path]?[method]?["parameters"] as? [[String: Any]])
        return parameters.compactMap { ($0["$ref"] as? String)?.split(separator: "/").last }
            .filter { $0.hasPrefix("recipe-") }.map { String($0.dropFirst("recipe-".count)) }
    }

    private static func schema(_ option: SettingOption) -> [String: Any] {
        switch option.kind {
        case .number(let range): ["type": "number", "minimum": range.lowerBound, "maximum": range.upperBound]
        case .whole(let range): ["type": "integer", "minimum": range.lowerBound, "maximum": range.upperBound]
        case .choice(let choices): ["type": "string", "enum": choices]
        case .flag: ["type": "boolean"]
        case .text: ["type": "string"]
        }
    }

    @Test("Each setting is described like its option", arguments: SettingOption.all.map(\.name))
    func described(name: String) throws {
        let option = try #require(SettingOption.all.first { $0.name == name })
        let expected: [String: Any] = [
            "name": name, "in": "query", "description": option.help, "schema": Self.schema(option),
        ]
        let described = try #require(try parameters()["recipe-\(name)"])
        let text = try JSONSerialization.data(
            withJSONObject: expected, options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(
            NSDictionary(dictionary: described) == NSDictionary(dictionary: expected),
            "it must be \(String(decoding: text, as: UTF8.self))")
    }

    @Test("Rendering takes all settings, and try-outs those that do not concern the file")
    func operations() throws {
        let all = Set(SettingOption.all.map(\.name)).union(["look", "no-denoise"])
        #expect(Set(try settings("/v1/render", "post")) == all)
        let described = try parameters().keys.filter { $0.hasPrefix("recipe-") }.map { $0.dropFirst("recipe-".count) }
        #expect(Set(described.map(String.init)) == all)
        let ofFiles: Set = [
            "long-edge", "format", "quality", "subsampling", "progressive", "hdr", "colour-space", "strip",
        ]
        #expect(Set(try settings("/v1/objects/{id}/try", "get")) == all.subtracting(ofFiles))
    }
}
