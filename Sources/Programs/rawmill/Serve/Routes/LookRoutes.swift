import Jobs
import Looks
import Storage
import Telemetry
import Web
import WebService

/// The looks that photos can have.
struct LookRoutes {
    let works: any Works
    let folder: String

    var routes: [Route] { [.get("/v1/looks") { _ in try await looks() }] }

    private func looks() async throws -> Response {
        let own = try await works.ownLooks()
        let imported = (try? LookFolder()?.entries()) ?? []
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
                for entry in imported where seen.insert(entry.identifier).inserted {
                    guard let look = try? LookFolder()?.read(entry).0 else { continue }
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
                        json.field("summary", LibraryLook.summary(look, library: folder))
                        json.field("own", true)
                    }
                }
            }
        }
    }
}
