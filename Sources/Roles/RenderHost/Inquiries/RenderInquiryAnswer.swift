public import PictureFormat
public import Processes

/// What the render program answers.
public enum RenderInquiryAnswer: Hashable, Sendable {
    /// Those that it alone has.
    case libraries([LoadedLibrary], knowsCamerasAfter2020: Bool)
    /// In LibRaw's order, with LibRaw's version.
    case cameras([KnownCamera], libRaw: String)
    /// Packed camera profiles, as a library keeps them.
    case cameraProfiles([UInt8])
    /// Why it does not do what it was asked: a part of a sentence. A file may have written it that has the process in its
    /// power.
    case refused(String)

    /// As a message.
    public func encoded() -> [UInt8] {
        var fields = FieldWriter()
        switch self {
        case .libraries(let libraries, let knowsCamerasAfter2020):
            fields.number(0)
            fields.flag(knowsCamerasAfter2020)
            fields.number(libraries.count)
            for library in libraries {
                fields.text(library.name)
                fields.optional(library.version) { $0.text($1) }
                fields.optional(library.file) { $0.text($1) }
            }
        case .cameras(let cameras, let libRaw):
            fields.number(1)
            fields.text(libRaw)
            fields.number(cameras.count)
            for camera in cameras {
                fields.text(camera.make)
                fields.text(camera.model)
                fields.text(camera.unpacker.rawValue)
                fields.flag(camera.hasColourMatrix)
            }
        case .cameraProfiles(let bytes):
            fields.number(2)
            fields.blob(bytes)
        case .refused(let reason):
            fields.number(3)
            fields.text(reason)
        }
        return fields.bytes
    }

    /// - Throws: where the bytes are no answer.
    init(_ message: [UInt8]) throws(InvalidAnswer) {
        var fields = FieldReader(message)
        switch try fields.number() {
        case 0:
            let knowsCamerasAfter2020 = try fields.flag()
            var libraries: [LoadedLibrary] = []
            for _ in 0..<(try fields.number(UInt16.self)) { libraries.append(try LoadedLibrary(&fields)) }
            self = .libraries(libraries, knowsCamerasAfter2020: knowsCamerasAfter2020)
        case 1:
            let libRaw = try fields.text()
            var cameras: [KnownCamera] = []
            for _ in 0..<(try fields.number(UInt16.self)) { cameras.append(try KnownCamera(&fields)) }
            self = .cameras(cameras, libRaw: libRaw)
        case 2: self = .cameraProfiles(try fields.blob())
        case 3: self = .refused(try fields.text())
        default: throw InvalidAnswer()
        }
        try fields.end()
    }
}

extension LoadedLibrary {
    fileprivate init(_ fields: inout FieldReader) throws(InvalidAnswer) {
        self.init(
            name: try fields.text(), version: try fields.optional { fields throws(InvalidAnswer) in try fields.text() },
            file: try fields.optional { fields throws(InvalidAnswer) in try fields.text() })
    }
}

extension KnownCamera {
    fileprivate init(_ fields: inout FieldReader) throws(InvalidAnswer) {
        let (make, model) = (try fields.text(), try fields.text())
        guard let unpacker = Unpacker(rawValue: try fields.text()) else { throw InvalidAnswer() }
        self.init(make: make, model: model, unpacker: unpacker, hasColourMatrix: try fields.flag())
    }
}
