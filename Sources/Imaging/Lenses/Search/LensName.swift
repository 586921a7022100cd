/// A parsed lens name. Cameras, makers and databases spell the same name in many ways.
struct LensName: Hashable {
    /// One focal length, or the shortest and the longest.
    private(set) var focalLengths: [Float] = []
    /// The minimum f-number, or the minimum at the shortest and at the longest focal length.
    private(set) var apertures: [Float] = []
    /// All other words, in lower case.
    private(set) var words: Set<String> = []

    init(_ text: String) {
        let parts = Self.parts(text.lowercased())
        var index = 0
        while index < parts.count {
            let part = parts[index]
            let next = index + 1 < parts.count ? parts[index + 1] : ""
            let (numbers, used) = Self.numbers(parts[index...])
            if numbers.isEmpty {
                if part == "f" || part == "f/" || part == "/", apertures.isEmpty,
                    case let (found, used) = Self.numbers(parts[(index + 1)...]), !found.isEmpty
                {
                    apertures = found
                    index += 1 + used
                    continue
                }
                if !Self.ignored.contains(part) { words.insert(Self.synonyms[part] ?? part) }
                index += 1
                continue
            }
            let after = index + used < parts.count ? parts[index + used] : ""
            if numbers == [1], next == ":", case let (found, used) = Self.numbers(parts[(index + 2)...]), !found.isEmpty
            {
                // 1:2.8
                apertures = found
                index += 2 + used
                continue
            }
            if focalLengths.isEmpty, numbers[0] >= 3,
                after == "mm" || after == "f" || after == "/" || numbers.count == 2
            {
                focalLengths = numbers
            } else if apertures.isEmpty, !focalLengths.isEmpty, numbers.count == 2 {
                apertures = numbers
            } else {
                for number in numbers where number < 10 || number > 23 { words.insert(Self.text(number)) }
            }
            index += used
        }
    }

    private static let ignored: Set<String> = [
        "mm", "f", "lens", "zuiko", "nikkor", "lumix", "digital", "asph", "mega", "ed", "the", "and", "or", "with",
        "zoom", "macro:", ":", "/", "-", "|", "+", "&", "(", ")", "[", "]", ",", "@",
    ]
    private static let synonyms = ["art": "a", "contemporary": "c", "sports": "s", "sport": "s", "mark": "mk"]

    private static func text(_ number: Float) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }

    /// Runs of letters, decimal numbers, and single signs.
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        var kind = 0
        for character in text {
            let isPoint = character == "." && kind == 1
            let new =
                character.isASCII && character.isNumber || isPoint
                ? 1 : character.isLetter ? 2 : character.isWhitespace ? 0 : 3
            if new == 0 || character == "." && !isPoint {
                kind = 0
            } else if new == kind, new != 3 {
                parts[parts.count - 1].append(character)
            } else {
                parts.append(String(character))
                kind = new
            }
        }
        return parts
    }

    /// The number or range at the start, and the parts it uses.
    private static func numbers(_ parts: ArraySlice<String>) -> (numbers: [Float], used: Int) {
        let start = parts.startIndex
        guard let text = parts.first, let number = number(text) else { return ([], 0) }
        guard parts.count > 2, ["-", "–", "~"].contains(parts[start + 1]), let end = self.number(parts[start + 2])
        else {
            // Both ends may have a unit: 24mm-70mm.
            if parts.count > 3, parts[start + 1] == "mm", parts[start + 2] == "-",
                let end = self.number(parts[start + 3])
            {
                return (number == end ? [number] : [number, end], 4)
            }
            return ([number], 1)
        }
        return (number == end ? [number] : [number, end], 3)
    }

    private static func number(_ text: String) -> Float? {
        guard text.first?.isNumber ?? false, let number = Float(text.hasSuffix(".") ? String(text.dropLast()) : text),
            number.isFinite, number < 100_000
        else { return nil }
        return number
    }

    func without(_ words: Set<String>) -> LensName {
        var name = self
        name.words.subtract(words)
        return name
    }
}

extension LensName {
    private static let generations: Set<String> = ["ii", "iii", "iv", "v", "vi", "mk2", "g2", "2", "3"]

    /// Similarity of two names, 0…1; nil if they cannot belong to one lens.
    ///
    /// Focal lengths and generation must match, and so must apertures if both state them. At least half of the words
    /// must be common.
    func likeness(to other: LensName) -> Float? {
        guard !focalLengths.isEmpty, Self.agree(focalLengths, other.focalLengths) else { return nil }
        if !apertures.isEmpty, !other.apertures.isEmpty, !Self.agree(apertures, other.apertures) { return nil }
        guard words.intersection(Self.generations) == other.words.intersection(Self.generations) else { return nil }
        let all = words.count + other.words.count
        if all == 0 { return 1 }
        let share = Float(2 * words.intersection(other.words).count) / Float(all)
        return share >= 0.5 ? share : nil
    }

    private static func agree(_ a: [Float], _ b: [Float]) -> Bool {
        // The aperture may be stated for the shortest focal length only.
        guard let first = a.first, let second = b.first, (first - second).magnitude <= 0.01 * first else {
            return false
        }
        return a.count != b.count || (a[a.count - 1] - b[b.count - 1]).magnitude <= 0.01 * a[a.count - 1]
    }
}
