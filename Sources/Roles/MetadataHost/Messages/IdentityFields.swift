internal import Manifests
internal import RenderHost

extension FieldWriter {
    mutating func identity(_ identity: RenditionIdentity) {
        text(identity.key)
        text(identity.asset)
        number(UInt64(identity.frame))
        text(identity.recipeID)
        text(identity.adjustment.formatIdentifier)
        text(identity.adjustment.formatVersion)
        text(identity.adjustment.data)
        text(identity.lookName)
        number(UInt64(identity.lookVersion))
        text(identity.lookDigest)
        text(identity.engine)
        file(identity.original)
        blob(identity.photoBase)
        optional(identity.companion) { $0.file($1) }
        optional(identity.companionDigest) { $0.text($1) }
        for fact in PhotoFact.all { optional(fact.value(in: identity.facts)) { $0.text($1.text) } }
        number(identity.width)
        number(identity.height)
    }

    private mutating func file(_ file: FileIdentity) {
        text(file.root)
        blob(file.path)
        number(file.sizeBytes)
        optional(file.modifiedNanoseconds) { $0.number(UInt64(bitPattern: $1)) }
    }
}

extension FieldReader {
    /// What it says is not checked beyond its types: it is what a file says of itself.
    mutating func identity() throws(InvalidAnswer) -> RenditionIdentity {
        var identity = RenditionIdentity(
            key: try text(), asset: try text(), frame: try number(UInt32.self), recipeID: try text(),
            adjustment: AdjustmentData(formatIdentifier: try text(), formatVersion: try text(), data: try text()),
            lookName: try text(), lookVersion: try number(UInt32.self), lookDigest: try text(), engine: try text(),
            original: try file(), photoBase: try blob(),
            companion: try optional { (fields) throws(InvalidAnswer) in try fields.file() },
            companionDigest: try optionalText(), facts: PhotoFacts(), width: 0, height: 0)
        for fact in PhotoFact.all {
            guard let text = try optionalText() else { continue }
            guard let value = fact.value(text) else { throw InvalidAnswer() }
            fact.set(value, in: &identity.facts)
        }
        identity.width = try number(Int.self)
        identity.height = try number(Int.self)
        return identity
    }

    private mutating func optionalText() throws(InvalidAnswer) -> String? {
        try optional { (fields) throws(InvalidAnswer) in try fields.text() }
    }

    private mutating func file() throws(InvalidAnswer) -> FileIdentity {
        FileIdentity(
            root: try text(), path: try blob(), sizeBytes: try number(),
            modifiedNanoseconds: try optional { (fields) throws(InvalidAnswer) in try fields.number(Int64.self) })
    }
}
