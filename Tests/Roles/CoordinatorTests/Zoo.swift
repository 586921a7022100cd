import Jobs

@testable import Coordinator

/// What a walk of one folder finds, in a shape that is easy to compare.
struct Findings {
    var files: [String] = []
    var sources: [String: FoundSource] = [:]
    var problems: [WalkProblem] = []
    var tally = WalkTally()

    init(
        _ sources: [String], roots: RootMap = RootMap(), library: String? = nil, budgetBytes: Int = 2 << 20
    ) throws {
        var resolver = SourceResolver(roots: roots, library: library.map { Array($0.utf8) })
        let (areas, problems) = resolver.resolve(sources.map { Array($0.utf8) })
        self.problems = problems
        let walk = Walk(
            areas: areas, roots: resolver.roots,
            library: library.flatMap { FolderIdentity(path: Array($0.utf8)) }, budgetBytes: budgetBytes)
        while let item = try walk.next() {
            switch item {
            case .source(let found):
                files.append("\(found.source.raw.file)")
                self.sources["\(found.source.raw.file.path)"] = found
            case .problem(let problem): self.problems.append(problem)
            case .folder: break
            }
        }
        tally = walk.tally
    }

    var paths: [String] { files.map { String($0.drop { $0 != ":" }.dropFirst()) } }

    func source(_ path: String) -> Source? { sources[path]?.source }
}
