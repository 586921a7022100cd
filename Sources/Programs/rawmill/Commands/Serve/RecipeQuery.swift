import Arguments
import CommandLineTool
import Coordinator
import Jobs
import JSON
import Storage
import Web
import WebService

/// A photo's settings from a query or a JSON object: `look=velvet&exposure=0.5`. The page, programs and the command
/// line use the same names and get the same errors.
struct RecipeQuery: Sendable {
    private let request: PictureRequest
    private let library: String

    /// - Parameter library: the library's folder, whose looks are known by name.
    /// - Throws: `ServiceError` for an invalid value.
    init(_ fields: [Request.Field], library: String) throws(ServiceError) {
        for field in fields { try Self.check(field) }
        do throws(UsageError) {
            request = try PictureRequest(
                fields.filter { PictureRequest.httpNames.contains($0.name) }.map { ($0.name, $0.value) })
        } catch { throw Self.refusal(error) }
        self.library = library
    }

    /// A look is a name here, never a path: HTTP clients must not read this machine's files.
    private static func check(_ field: Request.Field) throws(ServiceError) {
        guard field.name == "look" else { return }
        let isPath = field.value.contains { "/\\".contains($0) }
        let endings = [".cube", ".png", ".yaml", ".yml", ".3dl", ".tif", ".tiff"]
        guard !isPath, !endings.contains(where: field.value.lowercased().contains), field.value.utf8.count <= 500 else {
            throw ServiceError(
                400, "bad-look", "A look is given by its name here.",
                remedy: "`rawmill looks import FILE` makes a file known by name.")
        }
    }

    init(_ fields: [String: JSONValue], library: String) throws(ServiceError) {
        var query: [Request.Field] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard PictureRequest.httpNames.contains(name) else {
                throw ServiceError(400, "bad-recipe", "There is no setting called \(name).")
            }
            switch value {
            case .text(let text): query.append(.init(name, text))
            case .integer(let number): query.append(.init(name, "\(number)"))
            case .real(let number): query.append(.init(name, "\(number)"))
            case .boolean(let flag): query.append(.init(name, "\(flag)"))
            case .null: break
            default: throw ServiceError(400, "bad-recipe", "\(name) must be a text or a number.")
            }
        }
        try self.init(query, library: library)
    }

    /// For new photos; stores their tables and looks in the library.
    ///
    /// - Throws: `ServiceError`, `StorageError`.
    func selection() async throws -> RecipeSelection {
        do {
            let selection = try await RecipeSelection(request, library: library)
            try selection.store(in: Root(path: library))
            return selection
        } catch let error as UsageError {
            throw Self.refusal(error)
        }
    }

    /// One recipe for a temporary picture.
    func recipe() async throws -> Recipe {
        do {
            guard let first = try await selection().recipes(in: nil, recording: false).first else {
                throw ServiceError(400, "bad-recipe", "The settings are not a valid recipe.")
            }
            return first.recipe
        } catch let error as UsageError {
            throw Self.refusal(error)
        }
    }

    func changes() throws(ServiceError) -> RecipeChanges {
        do { return try RecipeChanges(request, library: library) } catch {
            if let error = error as? UsageError { throw Self.refusal(error) }
            throw ServiceError(400, "bad-recipe", "\(error)")
        }
    }

    static func refusal(_ error: UsageError) -> ServiceError { ServiceError(400, "bad-recipe", "\(error)") }
}
