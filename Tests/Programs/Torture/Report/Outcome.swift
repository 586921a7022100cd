/// Whether a promise held.
struct Verdict {
    let name: String
    let holds: Bool
    let text: String

    /// The first of some sentences, to follow another one.
    static func list(_ sentences: [String]) -> String {
        sentences.prefix(5).map { "; \($0)" }.joined()
            + (sentences.count > 5 ? "; and \(sentences.count - 5) more" : "")
    }
}

struct Outcome {
    let verdicts: [Verdict]
    let tally: HarmTally
    let jobs: Int
    let renders: Int
    /// Renders beyond one for each job.
    let repeatedRenders: Int

    var holds: Bool { verdicts.allSatisfy(\.holds) }

    var broken: [Verdict] { verdicts.filter { !$0.holds } }
}
