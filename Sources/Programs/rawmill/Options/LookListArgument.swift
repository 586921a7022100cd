import Arguments

/// Looks separated by commas. Commas inside brackets belong to a look: `velvet(push=1,grain=0),mono`.
struct LookListArgument: ArgumentValue, Hashable {
    /// At least one, none of them empty.
    let looks: [PathArgument]

    init(argument: [UInt8]) throws(InvalidArgument) {
        var parts: [[UInt8]] = [[]]
        var depth = 0
        for byte in argument {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if byte == UInt8(ascii: ","), depth == 0 {
                parts.append([])
            } else {
                parts[parts.count - 1].append(byte)
            }
        }
        guard !parts.contains([]) else { throw InvalidArgument("looks separated by commas") }
        var looks: [PathArgument] = []
        for part in parts { looks.append(try PathArgument(argument: part)) }
        self.looks = looks
    }

    var argumentText: String { looks.map(\.description).joined(separator: ",") }
}
