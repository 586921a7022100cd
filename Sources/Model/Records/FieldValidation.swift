internal import Digest
internal import Jobs
internal import Wire

// Every field is validated here before it becomes a value. `field` names it in the error.

extension ProtobufCBinaryData {
    var array: [UInt8] {
        guard len > 0, let data else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: len))
    }

    /// A UTF-8 text without NUL. protobuf-c checks neither, and a NUL would end the text in every C library.
    func text(_ field: String) throws(RecordError) -> String {
        guard let text = String(validating: array, as: UTF8.self) else { throw .malformed("\(field) is not UTF-8") }
        guard !text.utf8.contains(0) else { throw .malformed("\(field) contains a NUL") }
        return text
    }

    /// A text; nil if the field is empty or absent.
    func optionalText(_ field: String) throws(RecordError) -> String? {
        len == 0 ? nil : try text(field)
    }

    func digest(_ field: String) throws(RecordError) -> SHA256Value {
        guard let digest = SHA256Value(bytes: array) else { throw .malformed("\(field) has \(len) bytes, not 32") }
        return digest
    }

    func path(_ field: String) throws(RecordError) -> RelativePath {
        guard let path = RelativePath(bytes: array) else {
            throw .malformed("\(field) is not a relative path: \(String(decoding: array.prefix(200), as: UTF8.self))")
        }
        return path
    }

    func batch(_ field: String) throws(RecordError) -> BatchID {
        guard let batch = BatchID(bytes: array) else { throw .malformed("\(field) has \(len) bytes, not 16") }
        return batch
    }

    /// A file's name: a path of one part.
    func fileName(_ field: String) throws(RecordError) -> [UInt8] {
        let name = try path(field)
        guard name.folder == nil else { throw .malformed("\(field) is not one name: \(name)") }
        return name.bytes
    }
}

/// The message behind the pointer, which must be present.
func required<Message>(_ pointer: UnsafeMutablePointer<Message>?, _ field: String) throws(RecordError) -> Message {
    guard let pointer else { throw .malformed("\(field) is missing") }
    return pointer.pointee
}

func list<Message>(_ count: Int, _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Message>?>?) -> [Message] {
    UnsafeBufferPointer(start: pointers, count: pointers == nil ? 0 : count).compactMap { $0?.pointee }
}

func values<Value>(_ count: Int, _ pointer: UnsafeMutablePointer<Value>?) -> [Value] {
    Array(UnsafeBufferPointer(start: pointer, count: pointer == nil ? 0 : count))
}

func inRange<Number: BinaryInteger>(
    _ number: Number, _ range: ClosedRange<Number>, _ field: String
) throws(RecordError) -> Number {
    guard range.contains(number) else {
        throw .malformed("\(field) is \(number), not \(range.lowerBound) to \(range.upperBound)")
    }
    return number
}

/// The case with the number `code`. Zero means a missing field; an unknown code comes from a newer version.
func known<Case: CaseIterable, Code: RawRepresentable>(
    _ code: Code, _ field: String, as wire: (Case) -> Code
) throws(RecordError) -> Case where Code.RawValue: BinaryInteger {
    guard code.rawValue != 0 else { throw .malformed("\(field) is missing") }
    guard let found = Case.allCases.first(where: { wire($0).rawValue == code.rawValue }) else {
        throw .newerWriter("\(field) \(code.rawValue)")
    }
    return found
}
