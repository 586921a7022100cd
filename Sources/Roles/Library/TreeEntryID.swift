internal import Digest
internal import Jobs

/// Who a file below `photos/` belongs to: a look of an asset, or the RAW's copy.
struct TreeEntryID: Hashable, Sendable, Comparable {
    let asset: SHA256Value
    let frame: UInt32
    /// Empty for the RAW's copy: no look has an empty name.
    let look: String

    static func original(_ asset: SHA256Value) -> TreeEntryID { TreeEntryID(asset: asset, frame: 0, look: "") }

    static func < (a: Self, b: Self) -> Bool {
        if a.asset != b.asset { return a.asset < b.asset }
        return a.frame == b.frame ? a.look < b.look : a.frame < b.frame
    }
}

/// A file of the tree and the names it could have, the best first. The last one is nobody else's.
struct TreeClaim: Hashable, Sendable {
    let owner: TreeEntryID
    let names: [RelativePath]
    /// The RAW the file was made from, as it stood then; nil where it is not known.
    var raw: FileStamp?

    static let mostNames = 4

    /// True where the other file was made from the same place's RAW as it was later: the RAW was edited, or another one
    /// took its name.
    func isSuperseded(by other: TreeClaim) -> Bool {
        guard let raw, let newer = other.raw, raw.file == newer.file else { return false }
        guard owner.frame == other.owner.frame, owner.look == other.owner.look else { return false }
        return (raw.modifiedNanoseconds, owner.asset) < (newer.modifiedNanoseconds, other.owner.asset)
    }
}

extension TreeClaim {
    /// The name each claim gets, for all claims that want any name in common.
    ///
    /// A name goes to those whose first choice it is before those whose second choice it is, and among equals to the
    /// smallest owner; a file whose RAW has been replaced since comes last. So the answer depends on the set of claims
    /// alone, not on who came when: a library is the same whatever order its manifests came in.
    static func settle(_ claims: some Collection<TreeClaim>) -> [TreeEntryID: RelativePath] {
        var given: [TreeEntryID: RelativePath] = [:]
        var taken: Set<RelativePath> = []
        var open = inOrder(claims)
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

    private static func inOrder(_ claims: some Collection<TreeClaim>) -> [TreeClaim] {
        let places = Dictionary(grouping: claims) { $0.raw?.file }
        let ranked = claims.map { claim in
            (claim: claim, isOld: places[claim.raw?.file, default: []].contains { claim.isSuperseded(by: $0) })
        }
        return ranked.sorted { $0.isOld == $1.isOld ? $0.claim.owner < $1.claim.owner : $1.isOld }.map(\.claim)
    }
}
