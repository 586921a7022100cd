internal import Manifests

/// The identity as properties of the `rawmill:` namespace, in writing order.
///
/// Texts and paths are escaped by `PacketText`; numbers are decimal. A nil optional is a missing property.
extension RenditionIdentity {
    static let packetVersion = "1"

    var properties: [(name: String, value: String)] {
        var list: [(String, String?)] = [
            ("packetVersion", Self.packetVersion),
            ("key", PacketText.escape(key)),
            ("asset", PacketText.escape(asset)),
            ("frame", String(frame)),
            ("engine", PacketText.escape(engine)),
            ("recipe", PacketText.escape(recipeID)),
            ("formatIdentifier", PacketText.escape(adjustment.formatIdentifier)),
            ("formatVersion", PacketText.escape(adjustment.formatVersion)),
            ("data", PacketText.escape(adjustment.data)),
            ("look", PacketText.escape(lookName)),
            ("lookVersion", String(lookVersion)),
            ("lookSHA256", PacketText.escape(lookDigest)),
            ("photoBase", PacketText.escape(photoBase)),
            ("width", String(width)),
            ("height", String(height)),
        ]
        list += Self.packetFacts.map { fact in (fact.key, fact.value(in: facts).map { PacketText.escape($0.text) }) }
        list.append(("companionSHA256", companionDigest.map(PacketText.escape)))
        list += original.properties("source")
        list += companion?.properties("companion") ?? []
        return list.compactMap { name, value in value.map { (name, $0) } }
    }

    /// - Parameters:
    ///   - properties: texts by name, without prefix.
    ///   - inherited: the packet's rating and keywords.
    init(properties: [String: String], inherited: InheritedXMP) throws(XMPError) {
        guard let version = properties["packetVersion"] else { throw .notARendition }
        guard version == Self.packetVersion else { throw .badField(name: "packetVersion") }
        let fields = PropertyReader(properties: properties)
        self.init(
            key: try fields.text("key"), asset: try fields.text("asset"), frame: try fields.number("frame"),
            recipeID: try fields.text("recipe"),
            adjustment: AdjustmentData(
                formatIdentifier: try fields.text("formatIdentifier"), formatVersion: try fields.text("formatVersion"),
                data: try fields.text("data")),
            lookName: try fields.text("look"), lookVersion: try fields.number("lookVersion"),
            lookDigest: try fields.text("lookSHA256"), engine: try fields.text("engine"),
            original: try fields.file("source"), photoBase: try fields.bytes("photoBase"),
            companion: properties["companionRoot"] == nil ? nil : try fields.file("companion"),
            companionDigest: try fields.optionalText("companionSHA256"),
            facts: PhotoFacts(rating: inherited.rating, keywords: inherited.allKeywords),
            width: try fields.number("width"), height: try fields.number("height"))
        for fact in Self.packetFacts {
            guard let text = try fact.isRequired ? fields.text(fact.key) : fields.optionalText(fact.key) else {
                continue
            }
            guard let value = fact.value(text) else { throw .badField(name: fact.key) }
            fact.set(value, in: &facts)
        }
    }

    private static let packetFacts = PhotoFact.all.filter { $0.origin == .identity }
}

extension FileIdentity {
    fileprivate func properties(_ prefix: String) -> [(String, String?)] {
        [
            (prefix + "Root", PacketText.escape(root)), (prefix + "Path", PacketText.escape(path)),
            (prefix + "Bytes", String(sizeBytes)),
            (prefix + "ModifiedNanoseconds", modifiedNanoseconds.map { String($0) }),
        ]
    }
}

private struct PropertyReader {
    let properties: [String: String]

    func text(_ name: String) throws(XMPError) -> String {
        guard let value = try optionalText(name) else { throw .badField(name: name) }
        return value
    }

    func optionalText(_ name: String) throws(XMPError) -> String? {
        guard let raw = properties[name] else { return nil }
        guard let value = PacketText.text(raw) else { throw .badField(name: name) }
        return value
    }

    func bytes(_ name: String) throws(XMPError) -> [UInt8] {
        guard let value = properties[name].flatMap(PacketText.bytes) else { throw .badField(name: name) }
        return value
    }

    func number<Number: FixedWidthInteger>(_ name: String) throws(XMPError) -> Number {
        guard let value = properties[name].flatMap({ Number($0) }) else { throw .badField(name: name) }
        return value
    }

    func optionalNumber<Number: FixedWidthInteger>(_ name: String) throws(XMPError) -> Number? {
        properties[name] == nil ? nil : try number(name)
    }

    func file(_ prefix: String) throws(XMPError) -> FileIdentity {
        FileIdentity(
            root: try text(prefix + "Root"), path: try bytes(prefix + "Path"), sizeBytes: try number(prefix + "Bytes"),
            modifiedNanoseconds: try optionalNumber(prefix + "ModifiedNanoseconds"))
    }
}
