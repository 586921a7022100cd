public import Manifests

extension XMPToolkit {
    /// Bytes of the longest packet that fits into an APP1 segment (XMP part 3, 1.1.3).
    public static var packetLimit: Int { 65_502 }

    /// The packet of a rendition: its identity, its origin, and inherited properties.
    ///
    /// The bytes depend only on the arguments. If the packet exceeds a segment, the longest inherited properties are
    /// dropped, but never the identity.
    ///
    /// - Parameters:
    ///   - creatorTool: name and version of this program.
    ///   - spareBytes: bytes of the segment to leave free.
    /// - Throws: `tooLarge` if the identity alone does not fit.
    public func packet(
        identity: RenditionIdentity, inherited: InheritedXMP, creatorTool: String, spareBytes: Int = 0
    ) throws(XMPError) -> [UInt8] {
        let limit = Self.packetLimit - spareBytes
        var values = inherited.values
        while true {
            let bytes = try exclusively { () throws(XMPError) in
                let packet = try XMPPacket()
                for kept in InheritedProperty.all {
                    if let value = values[kept.property] { kept.write(value, to: packet) }
                }
                try packet.write(identity, documentID: inherited.originalDocumentID, creatorTool: creatorTool)
                return try packet.serialised()
            }
            if bytes.count <= limit { return bytes }
            let order = InheritedProperty.all.map(\.property).filter { values[$0] != nil }
            guard let longest = order.max(by: { Self.length(values[$0]) < Self.length(values[$1]) }) else {
                throw .tooLarge(bytes: bytes.count, limit: limit)
            }
            values[longest] = nil
        }
    }

    private static func length(_ value: InheritedXMP.Value?) -> Int {
        switch value {
        case .text(let text): text.utf8.count
        case .list(let items, _): items.reduce(0) { $0 + $1.utf8.count + 20 }
        case .localised(let parts): parts.reduce(0) { $0 + $1.text.utf8.count + 40 }
        case nil: 0
        }
    }
}

extension XMPPacket {
    fileprivate func write(
        _ identity: RenditionIdentity, documentID: String?, creatorTool: String
    ) throws(XMPError) {
        let raw = "sha256:\(PacketText.escape(identity.asset))"
        let file = "\(PacketText.escape(identity.original.root)):\(PacketText.escape(identity.original.path))"
        var properties: [(XMPNamespace, String, String)] = [
            (.basic, "CreatorTool", PacketText.escape(creatorTool)),
            (.media, "DocumentID", "rawmill:\(PacketText.escape(identity.key))"),
            (.media, "OriginalDocumentID", documentID ?? raw),
            (.media, "DerivedFrom/stRef:documentID", raw),
            (.media, "DerivedFrom/stRef:filePath", file),
        ]
        properties += identity.properties.map { (.rawmill, $0.name, $0.value) }
        for (space, name, value) in properties where !set(space, name, value) { throw .badField(name: name) }
    }
}
