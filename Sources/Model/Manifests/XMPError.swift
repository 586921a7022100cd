/// Why an XMP packet could not be read or written.
public enum XMPError: Error, Hashable, Sendable, CustomStringConvertible {
    case unavailable
    case tooLarge(bytes: Int, limit: Int)
    case notUTF8
    /// The packet has a DOCTYPE, which XMP does not allow and attackers use.
    case hasDocumentType
    /// The packet's elements are nested too deeply.
    case tooDeep(limit: Int)
    /// The packet is not well-formed or not XMP. The code is the library's.
    case broken(code: Int)
    /// The file is not a JPEG, TIFF or PNG, or ends before its XMP.
    case notAPhoto
    case noPacket
    /// The packet is sound, but was not written by Rawmill.
    case notARendition
    /// A property of Rawmill is missing or has an invalid value.
    case badField(name: String)

    /// The problem, as a clause.
    public var description: String {
        switch self {
        case .unavailable: "the XMP library could not be started: this machine is out of memory"
        case .tooLarge(let bytes, let limit): "the XMP packet has \(bytes) bytes, more than the limit of \(limit)"
        case .notUTF8: "the XMP packet is not UTF-8 text"
        case .hasDocumentType: "the XMP packet has a document type, which XMP does not allow"
        case .tooDeep(let limit): "the XMP packet is nested more than \(limit) levels deep"
        case .broken(let code): "the XMP packet is damaged (XMP toolkit error \(code))"
        case .notAPhoto: "the file is not a JPEG, TIFF or PNG, or its metadata is cut off"
        case .noPacket: "there is no XMP packet"
        case .notARendition: "the XMP packet was not written by Rawmill"
        case .badField(let name): "the XMP packet's property rawmill:\(name) is missing or damaged"
        }
    }
}
