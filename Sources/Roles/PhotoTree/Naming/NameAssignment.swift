internal import Jobs
internal import LibraryTables

/// Assigns names to files in `photos/`.
enum NameAssignment {
    /// Gives each claim a name, for all claims that share names.
    ///
    /// A name goes to a claim whose first choice it is, then to one whose second choice it is, and so on. Among equals
    /// the smallest identifier wins, and files whose RAW was replaced come last. The result depends on the set of
    /// claims alone, so that the library does not depend on the order of manifests.
    static func assign(_ claims: some Collection<TreeClaim>) -> [TreeEntryID: RelativePath] {
        assign(claims) { _ in false }
    }

    /// As `assign`, with users' files.
    ///
    /// - Parameter isTaken: true if a user's file has the name, which no claim gets.
    static func assign(
        _ claims: some Collection<TreeClaim>, isTaken: (RelativePath) throws -> Bool
    ) rethrows -> [TreeEntryID: RelativePath] {
        var assigned: [TreeEntryID: RelativePath] = [:]
        var taken: Set<RelativePath> = []
        func give(_ name: RelativePath, to claim: TreeClaim) throws -> Bool {
            guard try !isTaken(name), taken.insert(name).inserted else { return false }
            assigned[claim.id] = name
            return true
        }
        var open = inOrder(claims)
        var choice = 0
        while !open.isEmpty {
            var left: [TreeClaim] = []
            for claim in open {
                let name = claim.names[min(choice, claim.names.count - 1)]
                if try !give(name, to: claim) { left.append(claim) }
            }
            open = left
            choice += 1
            guard choice > TreeClaim.maxNames else { continue }
            // Only a user's file can have a claim's last name.
            for claim in open {
                for number in 2... { if try give(claim.numberedName(number), to: claim) { break } }
            }
            return assigned
        }
        return assigned
    }

    private static func inOrder(_ claims: some Collection<TreeClaim>) -> [TreeClaim] {
        let sameLocation = Dictionary(grouping: claims) { $0.raw?.file }
        let ranked = claims.map { claim in
            (claim: claim, isOld: sameLocation[claim.raw?.file, default: []].contains { claim.isSuperseded(by: $0) })
        }
        return ranked.sorted { $0.isOld == $1.isOld ? $0.claim.id < $1.claim.id : $1.isOld }.map(\.claim)
    }
}
