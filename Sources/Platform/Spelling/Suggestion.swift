/// Suggests corrections of mistyped words.
public enum Suggestion {
    /// The closest word by edit distance, up to a third of the letters (at least one); otherwise the only word with the
    /// typed prefix of at least two letters; otherwise nil.
    public static func nearest(to word: String, among words: [String]) -> String? {
        let typed = Array(word.utf8.prefix(64))
        let limit = max(1, typed.count / 3)
        let best = words.map { (word: $0, distance: distance(typed, Array($0.utf8))) }.min { $0.distance < $1.distance }
        if let best, best.distance <= limit { return best.word }
        let longer = words.filter { $0.utf8.starts(with: typed) }
        return typed.count >= 2 && longer.count == 1 ? longer[0] : nil
    }

    /// Restricted edit distance: insertions, deletions, substitutions and swaps of adjacent letters. F. J. Damerau, "A
    /// technique for computer detection and correction of spelling errors" (1964).
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for (row, letter) in a.enumerated() {
            var current = [row + 1]
            for (column, other) in b.enumerated() {
                var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == b[column - 1], a[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[b.count]
    }
}
