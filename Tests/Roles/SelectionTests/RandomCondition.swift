import Digest
import Jobs
import Manifests
import PictureFormat
import SeededRandom

@testable import LibraryTables

/// A photo of a library in the reference for selections.
struct JudgedPhoto {
    let record: RenditionRecord
    let path: String

    var recipe: Recipe? {
        if case .recipe(let recipe) = record.recipe.adjustment.reading { recipe } else { nil }
    }

    func number(_ field: String) -> Double? {
        let size = record.photo.size
        return switch field {
        case "version": Double(record.recipe.lookVersion)
        case "rating": record.rating.map(Double.init)
        case "engine": Double(record.engine)
        case "width": size.map { Double($0.width) }
        case "height": size.map { Double($0.height) }
        case "megapixels": size.map { Double($0.width * $0.height) / 1e6 }
        case "bytes": Double(record.photo.sizeBytes)
        case "rawbytes": Double(record.original.sizeBytes)
        case "frame": Double(record.frame)
        case "exposure": recipe?.exposureStops
        case "strength": recipe?.lookStrength
        case "temperature": recipe?.whiteBalance?.kelvin
        case "tint": recipe?.whiteBalance?.tint
        case "longedge": recipe?.longEdgePixels.map(Double.init)
        case "quality": recipe.map { Double($0.quality) }
        case "noise": recipe?.noiseReduction
        default: recipe?.sharpening
        }
    }

    /// Texts of which one must match; empty for an empty field.
    func texts(_ field: String) -> [String] {
        switch field {
        case "camera": [record.model, "\(record.make) \(record.model)"]
        case "make": [record.make]
        case "model": [record.model]
        case "keyword": record.keywords?.words ?? []
        case "lens": record.lens.map { [$0] } ?? []
        case "degraded": record.degraded.map { [$0] } ?? []
        case "root": [record.original.file.root.text]
        case "path": [record.original.file.path.description]
        default: [path]
        }
    }
}

/// A random condition: as text for the library, and as a plain function as a reference.
struct RandomCondition {
    let text: String
    let holds: (JudgedPhoto) -> Bool

    /// - Parameters:
    ///   - photos: photos whose values conditions use.
    ///   - depth: maximum nesting.
    static func make(_ photos: [JudgedPhoto], depth: Int, using random: inout SeededGenerator) -> RandomCondition {
        let kind = depth == 0 ? 3 : Int.random(in: 0..<6, using: &random)
        guard kind < 3 else { return test(photos, &random) }
        let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in
            make(photos, depth: depth - 1, using: &random)
        }
        switch kind {
        case 0:
            return RandomCondition(text: parts.map { "(\($0.text))" }.joined(separator: " and ")) { photo in
                parts.allSatisfy { $0.holds(photo) }
            }
        case 1:
            return RandomCondition(text: parts.map { "(\($0.text))" }.joined(separator: " OR ")) { photo in
                parts.contains { $0.holds(photo) }
            }
        default: return RandomCondition(text: "not (\(parts[0].text))") { !parts[0].holds($0) }
        }
    }

    private static func test(_ photos: [JudgedPhoto], _ random: inout SeededGenerator) -> RandomCondition {
        let photo = photos[Int.random(in: 0..<photos.count, using: &random)]
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return number(photo, &random)
        case 2, 3: return text(photo, &random)
        case 4: return taken(photo, &random)
        case 5: return named(photo, &random)
        case 6: return pattern(photo, &random)
        default:
            let field =
                [
                    "lens", "keyword", "degraded", "width", "rating", "megapixels", "temperature", "longedge", "noise",
                    "model",
                ]
                .randomElement(using: &random) ?? "lens"
            let isEmpty = { (photo: JudgedPhoto) in
                ["lens", "keyword", "degraded", "model"].contains(field)
                    ? photo.texts(field).isEmpty : photo.number(field) == nil
            }
            return Bool.random(using: &random)
                ? RandomCondition(text: "\(field) is null", holds: isEmpty)
                : RandomCondition(text: "\(field) is not null") { !isEmpty($0) }
        }
    }

    private static func compare<Value: Comparable>(_ a: Value, _ sign: String, _ b: Value) -> Bool {
        switch sign {
        case "=": a == b
        case "!=": a != b
        case "<": a < b
        case "<=": a <= b
        case ">": a > b
        default: a >= b
        }
    }

    private static let signs = ["=", "!=", "<", "<=", ">", ">="]

    private static func number(_ photo: JudgedPhoto, _ random: inout SeededGenerator) -> RandomCondition {
        let fields = [
            "version", "rating", "engine", "width", "height", "megapixels", "bytes", "rawbytes", "frame", "exposure",
            "strength",
            "temperature", "tint", "longedge", "quality", "noise", "sharpening",
        ]
        let field = fields.randomElement(using: &random) ?? "width"
        let value = photo.number(field) ?? 0.5
        let other = value + [-1, 0, 1, 0.25].randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return RandomCondition(text: "\(field) between \(value) and \(other)") { photo in
                photo.number(field).map { $0 >= value && $0 <= other } ?? false
            }
        case 1:
            return RandomCondition(text: "\(field) not in (\(value), \(other))") { photo in
                photo.number(field).map { $0 != value && $0 != other } ?? false
            }
        default:
            let sign = signs.randomElement(using: &random) ?? "="
            return RandomCondition(text: "\(field) \(sign) \(other)") { photo in
                photo.number(field).map { compare($0, sign, other) } ?? false
            }
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    }

    private static func text(_ photo: JudgedPhoto, _ random: inout SeededGenerator) -> RandomCondition {
        let field =
            ["camera", "keyword", "make", "model", "lens", "degraded", "root", "path", "photo"]
            .randomElement(using: &random) ?? "model"
        let isExact = ["root", "path", "photo"].contains(field)
        let value = photo.texts(field).randomElement(using: &random) ?? "nothing"
        let sign =
            ["camera", "keyword"].contains(field)
            ? ["=", "!="].randomElement(using: &random)! : signs.randomElement(using: &random)!
        let written = isExact ? value : Bool.random(using: &random) ? value.uppercased() : value
        return RandomCondition(text: "\(field) \(sign) \(quoted(written))") { photo in
            // By bytes, as databases compare.
            let texts = photo.texts(field).map { Array((isExact ? $0 : $0.lowercased()).utf8) }
            let wanted = Array((isExact ? written : written.lowercased()).utf8)
            if sign == "!=" { return !texts.isEmpty && !texts.contains(wanted) }
            return texts.contains { text in
                text == wanted
                    ? ["=", "<=", ">="].contains(sign)
                    : text.lexicographicallyPrecedes(wanted) ? sign.hasPrefix("<") : sign.hasPrefix(">")
            }
        }
    }

    private static func pattern(_ photo: JudgedPhoto, _ random: inout SeededGenerator) -> RandomCondition {
        let field =
            ["camera", "keyword", "model", "lens", "path", "photo", "root", "degraded"].randomElement(using: &random)
            ?? "model"
        let letters = Array(photo.texts(field).first ?? "nothing")
        var pattern: [Character] = []
        var written = ""
        for letter in letters {
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                pattern.append("\u{1}")
                written += "_"
            case 1, 2:
                pattern.append("\u{2}")
                written += "%"
            case 3: continue
            default:
                pattern.append(letter)
                written += ["%", "_", "\\"].contains(letter) ? "\\\(letter)" : String(letter)
            }
        }
        let isNegated = Bool.random(using: &random)
        return RandomCondition(text: "\(field) \(isNegated ? "not " : "")like \(quoted(written))") { photo in
            let texts = photo.texts(field)
            let fits = texts.contains { Self.fits(Array($0.lowercased()), pattern.map { Character($0.lowercased()) }) }
            return isNegated ? !texts.isEmpty && !fits : fits
        }
    }

    /// - Parameter pattern: with U+0001 for one character and U+0002 for any number.
    private static func fits(_ text: [Character], _ pattern: [Character]) -> Bool {
        var row = [Bool](repeating: false, count: text.count + 1)
        row[0] = true
        for sign in pattern {
            var next = [Bool](repeating: false, count: text.count + 1)
            for index in 0...text.count {
                if sign == "\u{2}" {
                    next[index] = row[index] || index > 0 && next[index - 1]
                } else if index > 0 {
                    next[index] = row[index - 1] && (sign == "\u{1}" || sign == text[index - 1])
                }
            }
            row = next
        }
        return row[text.count]
    }

    private static func taken(_ photo: JudgedPhoto, _ random: inout SeededGenerator) -> RandomCondition {
        let exif = photo.record.captured ?? "2015:06:01 10:00:00"
        let length = [4, 7, 10, 16, 19].randomElement(using: &random) ?? 4
        let period = String(exif.prefix(length))
        let parts = period.split(separator: " ")
        let date = parts[0].split(separator: ":").joined(separator: "-")
        let written = parts.count == 1 ? date : "\(date)\(Bool.random(using: &random) ? " " : "T")\(parts[1])"
        let value = length == 4 && Bool.random(using: &random) ? written : "'\(written)'"
        let sign = signs.randomElement(using: &random) ?? "="
        return RandomCondition(text: "taken \(sign) \(value)") { photo in
            // The part of a time that a period covers.
            photo.record.captured.map { compare(String($0.prefix(length)), sign, period) } ?? false
        }
    }

    private static func named(_ photo: JudgedPhoto, _ random: inout SeededGenerator) -> RandomCondition {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            let look = photo.record.recipe.look
            return RandomCondition(text: "look = '\(look)'") { $0.record.recipe.look == look }
        case 1:
            let (look, version) = (photo.record.recipe.look, photo.record.recipe.lookVersion)
            return RandomCondition(text: "look in ('\(look)@\(version)', 'none')") {
                $0.record.recipe.look == look && $0.record.recipe.lookVersion == version
            }
        case 2:
            let digits = String(photo.record.asset.description.prefix(Int.random(in: 4...64, using: &random)))
            return RandomCondition(text: "asset != '\(digits)'") { !$0.record.asset.description.hasPrefix(digits) }
        case 3:
            let folder = photo.record.original.file.path.folder?.description ?? "nowhere"
            return RandomCondition(text: "folder = \(quoted(folder))") {
                $0.record.original.file.path.description.hasPrefix(folder + "/")
            }
        case 4:
            let format = photo.record.key.format
            return RandomCondition(text: "format = '\(format.rawValue)'") { $0.record.key.format == format }
        default:
            let space = photo.recipe?.colourSpace.rawValue ?? "srgb"
            return RandomCondition(text: "space != '\(space)'") { photo in
                photo.recipe.map { $0.colourSpace.rawValue != space } ?? false
            }
        }
    }
}
