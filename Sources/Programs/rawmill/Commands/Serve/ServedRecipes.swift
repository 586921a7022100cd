import Arguments
import CommandLineTool
import Coordinator
import JSON
import Jobs
import Looks
import Serving
import Storage
import Web
import WebService

/// Makes recipes from the settings of requests, by the command line's options.
struct ServedRecipes: RecipeSettings {
    let library: String

    func request(_ fields: [Request.Field]) throws(ServiceError) -> any RecipeRequest {
        ServedRecipeRequest(query: try RecipeQuery(fields, library: library))
    }

    func request(_ fields: [String: JSONValue]) throws(ServiceError) -> any RecipeRequest {
        ServedRecipeRequest(query: try RecipeQuery(fields, library: library))
    }

    func importedLooks() -> [Look] {
        guard let folder = LookFolder(), let entries = try? folder.entries() else { return [] }
        return entries.compactMap { try? folder.read($0).0 }
    }

    func summary(of look: LookReference) -> String { LibraryLook.summary(look, library: library) }

    fileprivate static func explained(_ error: any Error) -> any Error {
        switch error {
        case let error as UsageError: RecipeQuery.refusal(error)
        case let error as CommandFailure: ServiceError(409, "not-possible", "\(error)", retryAfterSeconds: 5)
        default: error
        }
    }
}

private struct ServedRecipeRequest: RecipeRequest {
    let query: RecipeQuery

    func newRecipes() async throws -> any RecipeSource {
        do { return ServedRecipeSource(selection: try await query.selection()) } catch {
            throw ServedRecipes.explained(error)
        }
    }

    func recipe() async throws -> Recipe {
        do { return try await query.recipe() } catch { throw ServedRecipes.explained(error) }
    }

    func changes() throws(ServiceError) -> any RecipeEdit { ServedRecipeEdit(changes: try query.changes()) }
}

private struct ServedRecipeSource: RecipeSource {
    let selection: RecipeSelection

    func recipes(in ledger: LedgerStore?, recording: Bool) throws -> [EditedRecipe] {
        try selection.recipes(in: ledger, recording: recording).map {
            EditedRecipe(recipe: $0.recipe, hasOwnLook: $0.hasUserLook)
        }
    }
}

private struct ServedRecipeEdit: RecipeEdit {
    var changes: RecipeChanges

    var isEmpty: Bool { changes.isEmpty }

    mutating func readLook(for recipe: Recipe) async throws {
        do { try await changes.readLook(for: recipe) } catch { throw ServedRecipes.explained(error) }
    }

    func hasOwnLook(for recipe: Recipe) -> Bool { changes.hasOwnLook(for: recipe) }

    func store(in library: Root) throws {
        do { try changes.store(in: library) } catch { throw ServedRecipes.explained(error) }
    }

    func applied(to recipe: Recipe, in ledger: LedgerStore?, recording: Bool) throws -> Recipe {
        do { return try changes.applied(to: recipe, in: ledger, recording: recording) } catch {
            throw ServedRecipes.explained(error)
        }
    }
}
