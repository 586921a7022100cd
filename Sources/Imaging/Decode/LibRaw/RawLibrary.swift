import CLibRaw

/// The loaded LibRaw library.
public enum RawLibrary {
    /// Version, such as `0.20.2`.
    public static var version: String {
        // LibRaw appends a suffix: `0.20.2-Release`.
        String(unsafe String(cString: CLibRawVersion()).prefix { $0 != "-" })
    }

    /// Whether LibRaw reads cameras newer than 2020: version 0.21 or later.
    public static var knowsCamerasAfter2020: Bool { !version.hasPrefix("0.20.") }

    /// Supported cameras in LibRaw's order; maker and model in one text.
    static var cameras: [String] {
        var names: [String] = []
        while let name = unsafe CLibRawCamera(UInt32(clamping: names.count)) {
            names.append(unsafe String(cString: name))
        }
        return names
    }

    static var makers: [(number: UInt32, name: String)] {
        (1...CLibRawMaxMaker).compactMap { number in
            unsafe CLibRawMaker(number).map { unsafe (number, String(cString: $0)) }
        }
    }
}

/// LibRaw's colour matrices by maker and model. For one thread at a time.
///
/// `@safe`: the handle is private, valid until `deinit`, and destroyed only there.
@safe final class LibRawMatrixTable {
    private let handle: OpaquePointer

    init() throws(DecodeError) {
        guard let handle = unsafe CLibRawCreate(0) else { throw .outOfMemory }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe CLibRawDestroy(handle) }

    func hasMatrix(maker: UInt32, model: String) -> Bool { unsafe CLibRawHasMatrix(handle, maker, model) != 0 }
}
