internal import Jobs

/// Checks that every file below `photos/` is a link to the object in its row.
struct LinkCheck {
    private let context: VerificationContext

    init(_ context: VerificationContext) { self.context = context }

    func run() async throws {
        let reporter = context.reporter
        var last: RelativePath?
        while true {
            let page = try context.store.files.treeLinks(after: last, limit: VerificationContext.pageSize)
            guard let end = page.last else { return }
            last = end.path
            let states = try await context.states(page.map { context.expect($0.path, .object($0.object)) })
            let findings = zip(page, states).compactMap { link, state in
                reporter.finding(state, link.path, missing: .linkMissing, changed: .linkWrong)
            }
            let repaired = try context.repairer?.relink(findings) ?? []
            for finding in findings {
                reporter.add(repaired.contains(finding.file.path) ? finding.repaired() : finding)
            }
            reporter.publishProgress()
        }
    }
}
