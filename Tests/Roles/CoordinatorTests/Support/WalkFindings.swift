import Jobs
import Storage

@testable import Coordinator

/// The results of a walk, in a form that is easy to compare.
struct WalkFindings {
    /// `root:path` of every file, in the order of the walk.
    var files: [String] = []
    /// By path below the root.
    var sources: [String: FoundSource] = [:]
    var problems: [WalkProblem] = []
    var skipped: [SkippedFile] = []
    var tally = WalkTally()

    init(
        _ sources: [String], roots: RootMap = RootMap(), library: String? = nil, cacheBytes: Int = 2 << 20
    ) throws {
        var resolver = SourceResolver(roots: roots, library: library.map { Array($0.utf8) })
        let (folders, problems) = resolver.resolve(sources.map { Array($0.utf8) })
        self.problems = problems
        let walk = try Walk(
            folders, roots: resolver.roots,
            library: library.flatMap { try? FileFacts(absolutePath: Array($0.utf8)).id }, cacheBytes: cacheBytes)
        while let item = try walk.next() {
            switch item {
            case .source(let found):
                files.append("\(found.source.raw.file)")
                self.sources["\(found.source.raw.file.path)"] = found
            case .problem(let problem): self.problems.append(problem)
            case .skipped(let file): skipped.append(file)
            case .folder: break
            }
        }
        tally = walk.tally
    }

    /// The paths below the roots.
    var paths: [String] { files.map { String($0.drop { $0 != "/" }.dropFirst()) } }

    func source(_ path: String) -> Source? { sources[path]?.source }
}
