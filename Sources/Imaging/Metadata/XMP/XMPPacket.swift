import CExempi
import Manifests

/// A packet in the XMP library. Create and use only inside `XMPToolkit.exclusively`.
///
/// `@safe`: the pointer is private and valid until `deinit` frees it.
@safe struct XMPPacket: ~Copyable {
    private let pointer: XmpPtr

    init() throws(XMPError) {
        guard let pointer = unsafe xmp_new_empty() else { throw .unavailable }
        unsafe self.pointer = unsafe pointer
    }

    /// Parses a packet that passed `PacketValidation`.
    init(parsing bytes: [UInt8]) throws(XMPError) {
        let pointer = unsafe bytes.withUnsafeBytes { raw in
            unsafe raw.withMemoryRebound(to: CChar.self) { unsafe xmp_new($0.baseAddress, $0.count) }
        }
        guard let pointer = unsafe pointer else { throw .broken(code: Int(xmp_get_error())) }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe xmp_free(pointer) }

    /// Text of a simple property; nil if it is missing or not simple.
    func text(_ space: XMPNamespace, _ name: String) -> String? {
        unsafe read { text, options in unsafe xmp_get_property(pointer, space.rawValue, name, text, &options) }
            .flatMap { $0.isSimple ? $0.text : nil }
    }

    /// Texts of an array, at most `limit`; nil if it is missing or not an array.
    func list(_ space: XMPNamespace, _ name: String, limit: Int) -> [String]? {
        guard let whole = unsafe read({ unsafe xmp_get_property(pointer, space.rawValue, name, $0, &$1) }),
            whole.isArray
        else {
            return nil
        }
        var items: [String] = []
        while items.count < limit,
            let item = unsafe read({
                unsafe xmp_get_array_item(pointer, space.rawValue, name, Int32(items.count + 1), $0, &$1)
            })
        {
            items.append(item.text)
        }
        return items
    }

    /// Language of an item of a localised text.
    func language(_ space: XMPNamespace, _ name: String, item: Int) -> String? {
        unsafe read { unsafe xmp_get_property(pointer, space.rawValue, "\(name)[\(item)]/?xml:lang", unsafe $0, &$1) }?
            .text
    }

    /// All simple properties of a namespace, by name without prefix.
    func texts(of space: XMPNamespace) -> [String: String] {
        guard let iterator = unsafe xmp_iterator_new(pointer, space.rawValue, nil, XMP_ITER_JUSTCHILDREN) else {
            return [:]
        }
        defer { unsafe xmp_iterator_free(iterator) }
        guard let path = unsafe xmp_string_new() else { return [:] }
        defer { unsafe xmp_string_free(path) }
        var result: [String: String] = [:]
        while let value = unsafe read({ unsafe xmp_iterator_next(iterator, nil, path, $0, &$1) }) {
            guard value.isSimple, let start = unsafe xmp_string_cstr(path) else { continue }
            let name = unsafe String(cString: start)
            result[name.split(separator: ":").last.map(String.init) ?? name] = value.text
        }
        return result
    }

    func set(_ space: XMPNamespace, _ name: String, _ value: String) -> Bool {
        unsafe xmp_set_property(pointer, space.rawValue, name, value, 0)
    }

    func append(_ space: XMPNamespace, _ name: String, _ value: String, isOrdered: Bool) -> Bool {
        let form = XMP_PROP_VALUE_IS_ARRAY.rawValue | (isOrdered ? XMP_PROP_ARRAY_IS_ORDERED.rawValue : 0)
        return unsafe xmp_append_array_item(pointer, space.rawValue, name, UInt32(form), value, 0)
    }

    /// Adds item `item` (from 1) to a localised text.
    ///
    /// The library's own function for this changes the texts of other languages.
    func appendLocalised(_ space: XMPNamespace, _ name: String, item: Int, language: String, _ value: String) -> Bool {
        let form =
            XMP_PROP_VALUE_IS_ARRAY.rawValue | XMP_PROP_ARRAY_IS_ORDERED.rawValue | XMP_PROP_ARRAY_IS_ALT.rawValue
            | XMP_PROP_ARRAY_IS_ALTTEXT.rawValue
        return unsafe xmp_append_array_item(pointer, space.rawValue, name, UInt32(form), value, 0)
            && set(space, "\(name)[\(item)]/?xml:lang", language)
    }

    /// The packet, read-only and unpadded, so that its length depends only on its contents.
    ///
    /// - Parameter isFile: true for a separate, writable file.
    func serialised(isFile: Bool = false) throws(XMPError) -> [UInt8] {
        let options =
            isFile
            ? XMP_SERIAL_OMITPACKETWRAPPER | XMP_SERIAL_USECOMPACTFORMAT
            : XMP_SERIAL_READONLYPACKET | XMP_SERIAL_USECOMPACTFORMAT | XMP_SERIAL_OMITALLFORMATTING
        guard let text = unsafe xmp_string_new() else { throw .unavailable }
        defer { unsafe xmp_string_free(text) }
        guard unsafe xmp_serialize(pointer, text, UInt32(options), 0), let start = unsafe xmp_string_cstr(text) else {
            throw .broken(code: Int(xmp_get_error()))
        }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: xmp_string_len(text)))
    }

    private struct Value {
        let text: String
        let options: UInt32

        var isSimple: Bool { options & UInt32(XMP_PROP_COMPOSITE_MASK.rawValue) == 0 }
        var isArray: Bool { options & UInt32(XMP_PROP_VALUE_IS_ARRAY.rawValue) != 0 }
    }

    private func read(_ fetch: (XmpStringPtr, inout UInt32) -> Bool) -> Value? {
        guard let text = unsafe xmp_string_new() else { return nil }
        defer { unsafe xmp_string_free(text) }
        var options: UInt32 = 0
        guard unsafe fetch(text, &options), let start = unsafe xmp_string_cstr(text) else { return nil }
        return unsafe Value(text: String(cString: start), options: options)
    }
}
