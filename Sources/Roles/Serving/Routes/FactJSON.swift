internal import Manifests
internal import Telemetry

extension JSONWriter {
    /// Each fact as a field, a text, a number, a list of keywords, or null where it is not known.
    mutating func fields(of facts: PhotoFacts, where isWanted: (PhotoFact) -> Bool) {
        for fact in PhotoFact.all where isWanted(fact) {
            switch (fact.kind, fact.value(in: facts)) {
            case (.lines, .text(let text)?):
                array(fact.key) { json in for line in text.split(separator: "\n") { json.element(.text(String(line))) }
                }
            case (_, .text(let text)?): field(fact.key, text)
            case (_, .whole(let number)?): field(fact.key, number)
            case (_, .number(let number)?): field(fact.key, number)
            case (_, nil): field(fact.key, LogValue?.none)
            }
        }
    }
}
