internal import Jobs
internal import Looks
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

struct LookRoutes {
    let operations: any Operations
    let recipes: any RecipeSettings

    var routes: [Route] { [.get("/v1/looks") { _ in try await looks() }] }

    private func looks() async throws -> Response {
        let own = try await operations.ownLooks()
        let imported = recipes.importedLooks()
        let builtIn = LookCatalogue.builtIn.looks
        var seen = Set(builtIn.map(\.identifier))
        var looks = builtIn.map { Self.fields($0.identifier, $0.name, $0.summary, isOwn: false) }
        for look in imported where seen.insert(look.identifier).inserted {
            looks.append(Self.fields(look.identifier, look.name, look.summary, isOwn: true))
        }
        for look in own where seen.insert("\(look)").inserted {
            looks.append(Self.fields("\(look)", look.name, recipes.summary(of: look), isOwn: true))
        }
        return .json(["looks": looks, "settings": SettingOption.all.map { SettingJSON.fields($0) }])
    }

    private static func fields(
        _ reference: String, _ name: String, _ summary: String?, isOwn: Bool
    ) -> JSONFields { ["reference": reference, "name": name, "summary": summary, "own": isOwn] }
}
