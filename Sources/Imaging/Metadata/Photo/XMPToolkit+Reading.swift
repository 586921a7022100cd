public import Manifests

extension XMPToolkit {
    /// Reads what a rendition takes over from a RAW's own packet or from a sidecar (`IMG.NEF.xmp`, `IMG.xmp`).
    ///
    /// - Throws: for a packet that is too large, damaged, or no XMP; the bytes may be anything.
    public func inherited(from packet: [UInt8]) throws(XMPError) -> InheritedXMP {
        try PacketValidation.check(packet)
        return try exclusively { () throws(XMPError) in
            let parsed = try XMPPacket(parsing: packet)
            var result = InheritedXMP(parsed)
            result.originalDocumentID = parsed.text(.media, "OriginalDocumentID").flatMap { $0.isEmpty ? nil : $0 }
            return result
        }
    }

    /// Reads a rendition's identity from its packet. Facts of its EXIF are not in it.
    ///
    /// - Throws: `notARendition` for a sound packet of another program, `badField` for one of ours that was damaged.
    public func identity(fromPacket packet: [UInt8]) throws(XMPError) -> RenditionIdentity {
        try PacketValidation.check(packet)
        return try exclusively { () throws(XMPError) in
            let parsed = try XMPPacket(parsing: packet)
            return try RenditionIdentity(
                properties: parsed.texts(of: .rawmill), inherited: InheritedXMP(parsed))
        }
    }

    /// Reads a rendition's identity from its file, with the facts of its EXIF.
    ///
    /// - Throws: `notAPhoto`, `noPacket`, and what `identity(fromPacket:)` throws.
    public func identity(from photo: PhotoBytes) throws(XMPError) -> RenditionIdentity {
        var identity = try identity(fromPacket: PhotoMetadata.xmpPacket(in: photo))
        identity.facts.read(PhotoMetadata.exif(in: photo))
        return identity
    }
}

extension InheritedXMP {
    /// What a packet has of the properties that are inherited.
    fileprivate init(_ packet: borrowing XMPPacket) {
        for kept in InheritedProperty.all { values[kept.property] = kept.read(packet) }
    }
}
