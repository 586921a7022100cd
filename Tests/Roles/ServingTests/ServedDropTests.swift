import Foundation
import JSON
import Testing
import Web
import WebService

@testable import Serving

/// Drops through their routes, without a server process.
@Suite("serve: drops by their routes") struct ServedDropTests {
    private let folder: LibraryFolder
    private let router: Router

    init() async throws {
        folder = try LibraryFolder()
        router = try await folder.served(AccessControl(hosts: ["localhost"], tokens: nil)).router
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = ""
    ) async throws -> (status: Int, json: JSONValue) {
        let response = await router.answer(
            Request(method: method, path: path, headers: [.init("Host", "localhost")]), body: body)
        return (response.status, try JSONValue(parsing: response.body))
    }

    @Test("A drop lists its files in their order before one has come")
    func begun() async throws {
        let begun = try await ask(
            "POST", "/v1/drops", #"{"title":"Card","files":2,"look":"velvet","names":["a/1.dng","2.dng"]}"#)
        #expect(begun.status == 201)
        let id = try #require(begun.json["drop"]?.text)
        let drop = try await ask("GET", "/v1/drops/\(id)").json
        #expect(drop["title"]?.text == "Card" && drop["look"]?.text == "velvet" && drop["waiting"]?.integer == 2)
        let files = try #require(drop["files"]?.elements)
        #expect(files.map { $0["name"]?.text } == ["1.dng", "2.dng"])
        #expect(files.map { $0["path"]?.text } == ["a", ""])
        #expect(files.allSatisfy { $0["state"]?.text == "expected" })
    }

    @Test("Closing a drop refuses what was not sent, with what to do")
    func closed() async throws {
        let id = try #require(try await ask("POST", "/v1/drops", #"{"title":"Card","files":1}"#).json["drop"]?.text)
        #expect(try await ask("POST", "/v1/drops/\(id)/close").json["refused"]?.integer == 1)
        let drop = try await ask("GET", "/v1/drops/\(id)").json
        #expect(drop["refused"]?.integer == 1 && drop["sentence"]?.text == "1 of 1 was not imported.")
        let file = try #require(drop["files"]?.elements?.first)
        #expect(file["reason"]?.text == "not-sent" && file["remedy"]?.text == "Drop it again.")
    }

    @Test(
        "A drop that cannot begin is refused at once",
        arguments: [
            #"{"title":"Card"}"#, #"{"title":"Card","files":0}"#, #"{"title":"Card","files":1,"look":"no-such-look"}"#,
            #"{"title":"Card","files":2,"names":["one.dng"]}"#,
        ])
    func refused(body: String) async throws {
        #expect(try await ask("POST", "/v1/drops", body).status == 400)
        #expect(try await ask("GET", "/v1/drops").json["drops"]?.elements?.isEmpty == true)
    }

    @Test("A drop that is not there is an error of the caller's", arguments: ["", "/close", "/album"])
    func unknown(action: String) async throws {
        #expect(try await ask(action.isEmpty ? "GET" : "POST", "/v1/drops/0123456789abcdef\(action)").status == 404)
    }
}
