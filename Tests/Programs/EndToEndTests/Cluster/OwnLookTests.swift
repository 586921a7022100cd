import Foundation
import Testing

extension ClusterTests {
    /// Users' own looks in a cluster, whose workers have them only from the library.
    @Suite struct OwnLookTests {
        @Test("A look that a library received once is known there by name, and a chain over it is rendered")
        func chain() throws {
            let cluster = try TestCluster(.mock)
            let archive = cluster.folder.path + "/archive"
            let made = try cluster.run(
                "sample", ["--out", archive + "/shoot", "--count", "1", "--megapixels", "0.4"], connects: false)
            #expect(made.status == 0, "\(made.errors)")
            let file = cluster.folder.appending(path: "evening.yaml")
            try Data(
                "rawmill-look: 1\nname: evening\nsteps:\n  - {look: velvet, push: 0.5}\n  - effect: CIVignette\n    intensity: 0.5\n"
                    .utf8
            ).write(to: file)
            let roles = try [
                cluster.start("coordinator"), cluster.start("catalogue"), cluster.start("worker", ["-j", "1"]),
            ]
            #expect(roles.allSatisfy { $0.wait(for: "event=role.started") })
            func submit(_ look: String) throws -> Rawmill.Ended {
                let roots = ["--root", "archive=\(archive)", "--root", "library=\(cluster.library.path)"]
                return try cluster.begin("submit", ["archive/shoot", "--wait", "--json", "--look", look] + roots)
                    .wait(seconds: 300)
            }
            let first = try submit(file.path)
            #expect(try first.status == 0 && first.last("completed") == 1, "\(first.output) \(first.errors)")
            try FileManager.default.removeItem(at: file)
            let chain = try submit("evening(push=1)+CIMotionBlur(radius=9)+CISepiaTone(intensity=0.4)")
            #expect(try chain.status == 0 && chain.last("completed") == 1, "\(chain.output) \(chain.errors)")
            let looks = cluster.shownPhotos.compactMap { $0.split(separator: ".").dropLast().last }
            #expect(
                Set(looks) == ["evening", "evening-push1-cimotionblur-radius9-cisepiatone-intensity0-4"],
                "\(cluster.shownPhotos)")
            let unknown = try submit("morning+mono")
            #expect(unknown.status == 64 && unknown.errors.contains("there is no look"), "\(unknown.errors)")
        }
    }
}
