struct MetricDescriptor: Sendable {
    enum Kind: String { case counter, gauge, histogram }

    let name: String
    let help: String
    let kind: Kind
    let labels: [String]

    /// Traps for an invalid name, because names are constants.
    init(_ name: String, _ help: String, kind: Kind, labels: [String]) {
        precondition(Self.isName(name) && labels.allSatisfy(Self.isName), "\(name) is not a valid metric name")
        self.name = name
        self.help = help
        self.kind = kind
        self.labels = labels
    }

    /// Lower-case letters, digits and underscores, which every tool accepts.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}
