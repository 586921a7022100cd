internal import Manifests
internal import Wire

extension RenditionIdentity {
    func wire(_ arena: Arena) -> Rawmill__V1__PhotoIdentity {
        var message = Rawmill__V1__PhotoIdentity()
        rawmill__v1__photo_identity__init(&message)
        func whole(_ text: String) -> ProtobufCBinaryData { arena.text(text, limit: .max) }
        message.key = whole(key)
        message.asset = whole(asset)
        message.frame = frame
        message.recipe_id = whole(recipeID)
        message.adjustment_format = whole(adjustment.formatIdentifier)
        message.adjustment_version = whole(adjustment.formatVersion)
        message.adjustment = whole(adjustment.data)
        message.look_name = whole(lookName)
        message.look_version = lookVersion
        message.look_digest = whole(lookDigest)
        message.engine = whole(engine)
        message.original = arena.pointer(to: original.wire(arena))
        message.photo_base = arena.bytes(photoBase)
        message.companion = arena.pointer(to: companion?.wire(arena))
        message.companion_digest = arena.optionalText(companionDigest)
        let texts = facts.texts(arena)
        message.facts = arena.list(texts)
        message.n_facts = texts.count
        message.width = Int64(width)
        message.height = Int64(height)
        return message
    }

    /// Only types are checked: a file's own claims may be wrong.
    init(wire message: Rawmill__V1__PhotoIdentity) throws(RecordError) {
        let adjustment = AdjustmentData(
            formatIdentifier: try message.adjustment_format.text("adjustment_format"),
            formatVersion: try message.adjustment_version.text("adjustment_version"),
            data: try message.adjustment.text("adjustment"))
        self.init(
            key: try message.key.text("key"), asset: try message.asset.text("asset"), frame: message.frame,
            recipeID: try message.recipe_id.text("recipe_id"), adjustment: adjustment,
            lookName: try message.look_name.text("look_name"), lookVersion: message.look_version,
            lookDigest: try message.look_digest.text("look_digest"), engine: try message.engine.text("engine"),
            original: try FileIdentity(wire: required(message.original, "original"), "original"),
            photoBase: message.photo_base.array,
            companion: try message.companion.map { (file) throws(RecordError) in
                try FileIdentity(wire: file.pointee, "companion")
            },
            companionDigest: try text(message.companion_digest, "companion_digest"),
            facts: try PhotoFacts(texts: list(message.n_facts, message.facts)),
            width: Int(message.width), height: Int(message.height))
    }
}

extension PhotoFacts {
    fileprivate func texts(_ arena: Arena) -> [Rawmill__V1__FactText] {
        PhotoFact.all.compactMap { fact in
            fact.value(in: self).map { value in
                var message = Rawmill__V1__FactText()
                rawmill__v1__fact_text__init(&message)
                message.key = arena.text(fact.key, limit: .max)
                message.text = arena.text(value.text, limit: .max)
                return message
            }
        }
    }

    fileprivate init(texts: [Rawmill__V1__FactText]) throws(RecordError) {
        self.init()
        for message in texts {
            let key = try message.key.text("facts.key")
            guard let fact = PhotoFact.named(key) else { throw .newerWriter("the fact \(key)") }
            guard let value = fact.value(try message.text.text("facts.text")) else {
                throw .malformed("facts.text is not a valid value of \(key)")
            }
            fact.set(value, in: &self)
        }
    }
}

extension FileIdentity {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__IdentifiedFile {
        var file = Rawmill__V1__IdentifiedFile()
        rawmill__v1__identified_file__init(&file)
        file.root = arena.text(root, limit: .max)
        file.path = arena.bytes(path)
        file.size_bytes = sizeBytes
        file.modified = arena.pointer(
            to: modifiedNanoseconds.map { nanoseconds in
                var time = Rawmill__V1__FileTime()
                rawmill__v1__file_time__init(&time)
                time.nanoseconds = nanoseconds
                return time
            })
        return file
    }

    fileprivate init(wire file: Rawmill__V1__IdentifiedFile, _ field: String) throws(RecordError) {
        self.init(
            root: try file.root.text("\(field).root"), path: file.path.array, sizeBytes: file.size_bytes,
            modifiedNanoseconds: file.modified?.pointee.nanoseconds)
    }
}
