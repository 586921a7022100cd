internal import Manifests
internal import RenderHost

/// Errors travel as numbers: no sentence of a process that a file may have taken over reaches people.
extension FieldWriter {
    mutating func error(_ error: XMPError) {
        switch error {
        case .unavailable: number(1)
        case .tooLarge(let bytes, let limit):
            number(2)
            number(bytes)
            number(limit)
        case .notUTF8: number(3)
        case .hasDocumentType: number(4)
        case .tooDeep(let limit):
            number(5)
            number(limit)
        case .broken(let code):
            number(6)
            number(code)
        case .notAPhoto: number(7)
        case .noPacket: number(8)
        case .notARendition: number(9)
        case .badField(let name):
            number(10)
            text(name)
        }
    }
}

extension FieldReader {
    mutating func error() throws(InvalidAnswer) -> XMPError {
        switch try number() {
        case 1: .unavailable
        case 2: .tooLarge(bytes: try number(Int.self), limit: try number(Int.self))
        case 3: .notUTF8
        case 4: .hasDocumentType
        case 5: .tooDeep(limit: try number(Int.self))
        case 6: .broken(code: try number(Int.self))
        case 7: .notAPhoto
        case 8: .noPacket
        case 9: .notARendition
        case 10: .badField(name: try propertyName())
        default: throw InvalidAnswer()
        }
    }

    /// The name of a property of ours: a few letters and digits.
    private mutating func propertyName() throws(InvalidAnswer) -> String {
        let name = try text()
        guard name.utf8.count <= 64, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw InvalidAnswer()
        }
        return name
    }
}
