public import Manifests

extension XMPToolkit {
    /// A sidecar for other programs: the metadata that a photo inherited from its RAW, without Rawmill's own.
    ///
    /// - Throws: `noPacket` if the photo inherited nothing; errors of `inherited(from:)`.
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
