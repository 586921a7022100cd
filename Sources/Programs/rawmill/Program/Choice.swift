import Arguments

/// One of an enumeration's words, as a value on the command line.
struct Choice<Value>: ArgumentValue where Value: RawRepresentable<String> & CaseIterable & Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let value = Value(rawValue: String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("one of " + Self.choices.joined(separator: ", "))
        }
        self.value = value
    }

    static var choices: [String] { Value.allCases.map(\.rawValue) }
    var argumentText: String { value.rawValue }
}
