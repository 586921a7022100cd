package import Manifests
package import Telemetry

extension JSONFields {
    /// Each fact as a field: a text, a number, a list of keywords, or null if unknown.
    package init(_ facts: PhotoFacts, where isWanted: (PhotoFact) -> Bool = { _ in true }) {
        self.init(PhotoFact.all.filter(isWanted).map { ($0.key, $0.json(of: facts)) })
    }
}

extension PhotoFact {
    fileprivate func json(of facts: PhotoFacts) -> (any Encodable)? {
        switch value(in: facts) {
        case .text(let text): kind == .lines ? text.split(separator: "\n").map(String.init) : text
        case .whole(let number): number
        case .number(let number): number
        case nil: nil
        }
    }
}
