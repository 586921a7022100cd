internal import Digest
internal import Jobs

/// Who a file below `photos/` belongs to: a look of an asset, or the RAW's copy.
struct TreeOwner: Hashable, Sendable, Comparable {
    let asset: SHA256Value
    let frame: UInt32
    /// Empty for the RAW's copy: no look has an empty name.
    let look: String

    static func original(_ asset: SHA256Value) -> TreeOwner { TreeOwner(asset: asset, frame: 0, look: "") }

    var isOriginal: Bool { look.isEmpty }

    static func < (a: Self, b: Self) -> Bool {
        if a.asset != b.asset { return a.asset < b.asset }
        return a.frame == b.frame ? a.look < b.look : a.frame < b.frame
    }
}

/// A file of the tree and the names it could have, the best first. The last one is nobody else's.
struct TreeClaim: Hashable, Sendable {
    let owner: TreeOwner
    let names: [RelativePath]

    static let mostNames = 4
}

extension TreeClaim {
    /// The name each claim gets, for all claims that want any name in common.
    ///
    /// A name goes to those who ask for it first of all before those who ask for it second, and among equals to the
    /// smallest owner. So the answer depends on the set of claims alone, not on who came when: a library is the same
    /// whatever order its manifests came in.
    static func settle(_ claims: some Collection<TreeClaim>) -> [TreeOwner: RelativePath] {
        var given: [TreeOwner: RelativePath] = [:]
        var taken: Set<RelativePath> = []
        var open = claims.sorted { $0.owner < $1.owner }
        var choice = 0
        while !open.isEmpty {
            var left: [TreeClaim] = []
            for claim in open {
                let name = claim.names[min(choice, claim.names.count - 1)]
                if taken.insert(name).inserted { given[claim.owner] = name } else { left.append(claim) }
            }
            open = left
            choice += 1
            // The last name of a claim is its own, so nobody is left beyond it.
            if choice > TreeClaim.mostNames { return given }
        }
        return given
    }
}
