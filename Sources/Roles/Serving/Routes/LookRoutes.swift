internal import Jobs
internal import Looks
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

/// The looks and settings that photos can have.
struct LookRoutes {
    let operations: any Operations
    let recipes: any RecipeSettings

    var routes: [Route] { [.get("/v1/looks") { _ in try await looks() }] }

    private func looks() async throws -> Response {
        let own = try await operations.ownLooks()
        let imported = recipes.importedLooks()
        let builtIn = LookCatalogue.builtIn.looks
        let known = Set(builtIn.map(\.identifier))
        return .json { json in
            json.array("looks") { json in
                for look in builtIn {
                    json.object { json in
                        json.field("reference", look.identifier)
                        json.field("name", look.name)
                        json.field("summary", look.summary)
                        json.field("own", false)
                    }
                }
                var seen = known
                for look in imported where seen.insert(look.identifier).inserted {
                    json.object { json in
                        json.field("reference", look.identifier)
                        json.field("name", look.name)
                        json.field("summary", look.summary)
                        json.field("own", true)
                    }
                }
                for look in own where seen.insert("\(look)").inserted {
                    json.object { json in
                        json.field("reference", "\(look)")
                        json.field("name", look.name)
                        json.field("summary", recipes.summary(of: look))
                        json.field("own", true)
                    }
                }
            }
            json.array("settings") { json in
                for option in SettingOption.all { json.object { SettingJSON.write(option, to: &$0) } }
            }
        }
    }
}
