/// What a metric is: its name, its words, and the names of its labels.
struct Heading: Sendable {
    enum Kind: String { case counter, gauge, histogram }

    let name: String
    let help: String
    let kind: Kind
    let labels: [String]

    /// Names are Rawmill's own words: a wrong one is a fault of the program.
    init(_ name: String, _ help: String, kind: Kind, labels: [String]) {
        precondition(Self.isName(name) && labels.allSatisfy(Self.isName), "\(name) is no name for a metric")
        self.name = name
        self.help = help
        self.kind = kind
        self.labels = labels
    }

    /// Small letters, digits, underscores: what every tool takes.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}
