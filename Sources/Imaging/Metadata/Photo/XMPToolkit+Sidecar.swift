public import Manifests

extension XMPToolkit {
    /// A sidecar for other programs: what people wrote about a photo, as it took it over from its RAW, and nothing of
    /// Rawmill's.
    ///
    /// - Throws: `noPacket` if there is nothing that people wrote; what `inherited(from:)` throws.
    public func sidecar(from photo: PhotoBytes) throws(XMPError) -> [UInt8] {
        let inherited = try inherited(from: PhotoMetadata.xmpPacket(in: photo))
        guard !inherited.values.isEmpty else { throw .noPacket }
        return try exclusively { () throws(XMPError) in
            let packet = try XMPPacket()
            for kept in InheritedProperty.all {
                if let value = inherited.values[kept.property] { kept.write(value, to: packet) }
            }
            return try packet.serialised(isFile: true)
        }
    }
}
