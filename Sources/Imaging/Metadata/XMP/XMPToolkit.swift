import CExempi
public import Manifests
import Synchronization

/// The XMP library (Exempi 2.6.3), started once per process.
///
/// Exempi's packets are independent, but share a table of namespaces that parsing changes. A lock guards every use, so
/// any thread may use the library; parsing takes well under a millisecond.
public struct XMPToolkit: Sendable {
    private static let lock = Mutex(false)

    /// Starts the library unless it is running.
    public init() throws(XMPError) {
        let isReady = Self.lock.withLock { isStarted in
            if !isStarted { isStarted = xmp_init() && XMPNamespace.registerAll() }
            return isStarted
        }
        if !isReady { throw .unavailable }
    }

    func exclusively<Result>(_ body: () throws(XMPError) -> Result) throws(XMPError) -> Result {
        // `withLock` would erase the type of the error.
        let outcome = Self.lock.withLock { _ -> Swift.Result<Result, XMPError> in
            do throws(XMPError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

/// The namespaces of a rendition's properties. Their prefixes are registered before any packet is read: the library
/// keeps the first prefix it meets, and the same input must give the same bytes.
enum XMPNamespace: String, CaseIterable {
    case rawmill = "http://rawmill.org/ns/1.0/"
    case basic = "http://ns.adobe.com/xap/1.0/"
    case media = "http://ns.adobe.com/xap/1.0/mm/"
    case reference = "http://ns.adobe.com/xap/1.0/sType/ResourceRef#"
    case rights = "http://ns.adobe.com/xap/1.0/rights/"
    case dublinCore = "http://purl.org/dc/elements/1.1/"
    case photoshop = "http://ns.adobe.com/photoshop/1.0/"
    case iptcCore = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
    case lightroom = "http://ns.adobe.com/lightroom/1.0/"
    case exif = "http://ns.adobe.com/exif/1.0/"

    private var prefix: String {
        switch self {
        case .rawmill: "rawmill"
        case .basic: "xmp"
        case .media: "xmpMM"
        case .reference: "stRef"
        case .rights: "xmpRights"
        case .dublinCore: "dc"
        case .photoshop: "photoshop"
        case .iptcCore: "Iptc4xmpCore"
        case .lightroom: "lr"
        case .exif: "exif"
        }
    }

    static func registerAll() -> Bool {
        allCases.allSatisfy { unsafe xmp_register_namespace($0.rawValue, $0.prefix, nil) }
    }
}
