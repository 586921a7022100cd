import Coordinator
import Foundation
import JSON
import Jobs
import Looks
import RenderHost
import Storage
import Telemetry
import Web
import WebService
import Worker

@testable import Serving

/// A folder for a test's library, removed at its end.
final class LibraryFolder {
    let library: URL

    init() throws {
        library = FileManager.default.temporaryDirectory.appending(path: "serving-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: library) }

    /// A new library behind its routes, without a run.
    func served(_ access: AccessControl) async throws -> ServedLibrary {
        var settings = WorkerSettings(slots: 1)
        // The render program, built beside the tests.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
        let built = URL(filePath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
        settings.program = RenderProgram(path: built.appending(path: "rawmill-render").path, level: nil)
        return try await ServedLibrary(
            library.path, isNew: true, settings, cluster: nil, recipes: OneRecipe(), access: access, version: "1",
            log: .silent)
    }
}

extension Router {
    /// The answer to a request. It blocks a separate thread, because routes need the threads that run tests.
    func answer(_ request: Request, body: String = "") async -> Response {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                switch self.handle(request) {
                case .respond(let response): continuation.resume(returning: response)
                case .receive(let receiver):
                    let early = Array(body.utf8).withUnsafeBytes { receiver.receive($0) }
                    continuation.resume(returning: early ?? receiver.response())
                }
            }
        }
    }
}

/// Takes every look name and no other setting: the settings themselves are the program's.
struct OneRecipe: RecipeSettings, RecipeRequest {
    private static let known: Set<String> = ["neutral", "velvet"]

    func request(_ fields: [Request.Field]) throws(ServiceError) -> any RecipeRequest {
        for field in fields where field.name == "look" && !Self.known.contains(field.value) {
            throw ServiceError(400, "bad-recipe", "There is no look called \(field.value).")
        }
        return self
    }

    func request(_ fields: [String: JSONValue]) throws(ServiceError) -> any RecipeRequest {
        try request(fields.compactMap { name, value in value.text.map { .init(name, $0) } })
    }

    func importedLooks() -> [Look] { [] }
    func summary(of look: LookReference) -> String { look.name }
    func newRecipes() async throws -> any RecipeSource { throw Unused() }
    func recipe() async throws -> Recipe { throw Unused() }
    func changes() throws(ServiceError) -> any RecipeEdit { throw ServiceError(400, "bad-recipe", "no edits here") }

    private struct Unused: Error {}
}
