package import Arguments

package struct EnumArgument<Value>: ArgumentValue where Value: RawRepresentable<String> & CaseIterable & Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }

    package init(argument: [UInt8]) throws(InvalidArgument) {
        guard let value = Value(rawValue: String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("one of " + Self.choices.joined(separator: ", "))
        }
        self.value = value
    }

    package static var choices: [String] { Value.allCases.map(\.rawValue) }
    package var argumentText: String { value.rawValue }
}
