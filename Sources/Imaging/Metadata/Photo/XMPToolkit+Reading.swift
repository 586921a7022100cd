public import Manifests

extension XMPToolkit {
    /// Reads the properties that a rendition inherits, from a RAW's embedded packet or a sidecar (`IMG.NEF.xmp`,
    /// `IMG.xmp`).
    ///
    /// - Parameter packet: untrusted.
    /// - Throws: `XMPError` if the packet is too large, damaged, or not XMP.
    public func inherited(from packet: [UInt8]) throws(XMPError) -> InheritedXMP {
        try PacketValidation.check(packet)
        return try exclusively { () throws(XMPError) in
            let parsed = try XMPPacket(parsing: packet)
            var result = InheritedXMP(parsed)
            result.originalDocumentID = parsed.text(.media, "OriginalDocumentID").flatMap { $0.isEmpty ? nil : $0 }
            return result
        }
    }

    /// Reads a rendition's identity from its packet, without the facts in its EXIF.
    ///
    /// - Throws: `notARendition` for a valid packet of another program; `badField` for a damaged one of Rawmill's.
    public func identity(fromPacket packet: [UInt8]) throws(XMPError) -> RenditionIdentity {
        try PacketValidation.check(packet)
        return try exclusively { () throws(XMPError) in
            let parsed = try XMPPacket(parsing: packet)
            return try RenditionIdentity(
                properties: parsed.texts(of: .rawmill), inherited: InheritedXMP(parsed))
        }
    }

    /// Reads a rendition's identity from its file, with the facts in its EXIF.
    ///
    /// - Throws: `notAPhoto`, `noPacket`, and errors of `identity(fromPacket:)`.
    public func identity(from photo: PhotoBytes) throws(XMPError) -> RenditionIdentity {
        var identity = try identity(fromPacket: PhotoMetadata.xmpPacket(in: photo))
        identity.facts.read(PhotoMetadata.exif(in: photo))
        return identity
    }
}

extension InheritedXMP {
    fileprivate init(_ packet: borrowing XMPPacket) {
        for kept in InheritedProperty.all { values[kept.property] = kept.read(packet) }
    }
}
