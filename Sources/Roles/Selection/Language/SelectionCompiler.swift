internal import Database
internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PictureFormat

/// Compiles a selection to SQL: a condition on the row `r` of `renditions` and the row `t` of `tree` that shows it.
///
/// SQLite and PostgreSQL share the SQL, apart from sets of recipes, which use SQLite's `json_each`. Negations are
/// pushed down to the tests, so that NULL tests do not change the result and indexes serve the other tests.
struct SelectionCompiler {
    private let recipes: RecipeSelector
    private let bursts: BurstSelector

    init(_ database: LibraryDatabase, bursts: BurstSelector) {
        recipes = RecipeSelector(database)
        self.bursts = bursts
    }

    /// - Throws: `LibraryError` if recipes cannot be read.
    func fragment(_ condition: SelectionCondition, isNegated: Bool = false) throws -> SQLFragment {
        switch condition {
        case .not(let inner): return try fragment(inner, isNegated: !isNegated)
        case .all(let parts):
            let parts = try parts.map { try fragment($0, isNegated: isNegated) }
            return isNegated ? .any(parts) : .all(parts)
        case .any(let parts):
            let parts = try parts.map { try fragment($0, isNegated: isNegated) }
            return isNegated ? .all(parts) : .any(parts)
        case .test(let field, let test):
            if field == .degraded, test == .isEmpty, isNegated {
                // Not NULL, in a form that uses SQLite's index.
                return SQLFragment("r.degraded >= ''", index: .other)
            }
            let positive = try fragment(field, test)
            guard isNegated else { return positive }
            let emptiness = Self.emptiness(field)
            let negative = SQLFragment("NOT (\(positive.sql))", positive.values)
            return emptiness == nil || test == .isEmpty ? negative : .any([SQLFragment(emptiness ?? ""), negative])
        }
    }

    /// True for a row whose field is empty; nil for fields that are never empty, or whose tests are never NULL.
    private static func emptiness(_ field: SelectionField) -> String? {
        switch field {
        case .taken: "r.captured IS NULL"
        case .lens: "(r.lens IS NULL AND r.lens_name IS NULL)"
        case .rating: "r.rating IS NULL"
        case .width: "r.photo_width IS NULL"
        case .height: "r.photo_height IS NULL"
        case .megapixels: "(r.photo_width IS NULL OR r.photo_height IS NULL)"
        default: field.fact.flatMap { $0.isRequired ? nil : "r.\($0.column) IS NULL" }
        }
    }

    private func fragment(_ field: SelectionField, _ test: SelectionTest) throws -> SQLFragment {
        if RecipeSelector.fields.contains(field) { return try recipes.fragment(field, test) }
        if field == .camera { return camera(test) }
        if field == .lens { return lens(test) }
        if field == .album { return album(test) }
        if field == .keyword { return keyword(test) }
        if field == .burst { return try bursts.fragment(test) }
        switch test {
        case .isEmpty: return Self.emptiness(field).map { SQLFragment($0) } ?? .never
        case .isLike(let pattern): return try like(field, pattern)
        case .compares(let comparison, let value): return try compare(field, comparison, value)
        }
    }

    // MARK: Columns

    private static let camera = "lower(r.make || ' ' || r.model)"
    private static let model = "lower(r.model)"
    private static let word = "lower(k.word)"
    private static let indexed: Set = [camera, model, word]

    private func camera(_ test: SelectionTest) -> SQLFragment {
        let columns = [Self.model, Self.camera]
        switch test {
        case .isEmpty: return .never
        case .isLike(let pattern): return .any(columns.map { like($0, pattern) })
        case .compares(_, .text(let text)):
            return .any(columns.map { SQLFragment("\($0) = ?", [.text(text)], index: .other) })
        case .compares: return .never
        }
    }

    /// Matches the lens's name, or the correction, which names the lens it was measured with.
    private func lens(_ test: SelectionTest) -> SQLFragment {
        let tests = ["lower(r.lens_name)", "lower(r.lens)"].map { column in
            switch test {
            case .isLike(let pattern): like(column, pattern)
            case .compares(let comparison, .text(let text)):
                SQLFragment("\(column) \(comparison.rawValue) ?", [.text(text)])
            case .isEmpty: SQLFragment("\(column) IS NULL")
            case .compares: SQLFragment.never
            }
        }
        // Either may be NULL.
        return test == .isEmpty
            ? .all(tests) : .any(tests.map { SQLFragment("coalesce(\($0.sql), 1 = 0)", $0.values) })
    }

    /// The field in its compared form; paths are bytes.
    private static func column(_ field: SelectionField) -> String {
        switch field {
        case .root: "r.original_root"
        case .path: "r.original_path"
        case .photo: "t.path"
        case .rating: "r.rating"
        case .engine: "r.engine"
        case .width: "r.photo_width"
        case .height: "r.photo_height"
        case .megapixels: "r.photo_width * r.photo_height"
        case .bytes: "r.photo_bytes"
        case .rawbytes: "r.original_bytes"
        case .frame: "r.frame"
        default: field.fact.map { field.kind == .number ? "r.\($0.column)" : "lower(r.\($0.column))" } ?? "NULL"
        }
    }

    // MARK: Tests

    private func like(_ field: SelectionField, _ pattern: SelectionPattern) throws -> SQLFragment {
        switch field {
        case .path, .photo: like("lower(CAST(\(Self.column(field)) AS TEXT))", pattern)
        case .root: like("lower(\(Self.column(field)))", pattern)
        case .look:
            // Includes the version only if the pattern has one.
            try recipes.fragment(
                where: like(pattern.text.contains("@") ? "lower(look || '@' || look_version)" : "lower(look)", pattern))
        default: like(Self.column(field), pattern)
        }
    }

    private func like(_ column: String, _ pattern: SelectionPattern) -> SQLFragment {
        let test = SQLFragment("\(column) LIKE ? ESCAPE '\\'", [.text(pattern.text)])
        guard Self.indexed.contains(column), !pattern.prefix.isEmpty else { return test }
        // The last code point sorts after any continuation of the prefix.
        let range = SQLFragment(
            "(\(column) >= ? AND \(column) < ?)", [.text(pattern.prefix), .text(pattern.prefix + "\u{10FFFF}")],
            index: .other)
        // The range suffices for a pattern that is a beginning.
        return pattern.isBeginning ? range : .all([range, test])
    }

    private func compare(
        _ field: SelectionField, _ comparison: Comparison, _ value: SelectionValue
    ) throws -> SQLFragment {
        switch value {
        case .number(let number): try compare(field, comparison, number)
        case .text(let text): compare(field, comparison, text)
        case .period(let period): taken(comparison, period)
        case .look(let name, let version):
            try recipes.fragment(
                where: SQLFragment(
                    version == nil ? "look = ?" : "look = ? AND look_version = ?",
                    [.text(name)] + (version.map { [.integer(Int64($0))] } ?? [])))
        case .digits(let digits): asset(digits)
        case .folder(let folder):
            // Paths below a folder sort between these two, because "0" follows "/" in ASCII.
            SQLFragment(
                "(r.original_path >= ? AND r.original_path < ?)",
                [.blob(folder.bytes + [UInt8(ascii: "/")]), .blob(folder.bytes + [UInt8(ascii: "0")])], index: .other)
        }
    }

    private func compare(_ field: SelectionField, _ comparison: Comparison, _ number: Double) throws -> SQLFragment {
        if field == .version {
            return try recipes.fragment(where: SQLFragment("look_version \(comparison.rawValue) ?", [.real(number)]))
        }
        let column = Self.column(field)
        if field == .rating, !comparison.holds(0, number) {
            // Written for the index of photos with stars.
            return SQLFragment(
                "(r.rating <> 0 AND r.rating \(comparison.rawValue) ?)", [.real(number)], index: .other)
        }
        if field == .megapixels {
            // An integer, because PostgreSQL's index does not serve a comparison of integers with a fraction.
            let pixels = Int64(exactly: (number * 1_000_000).rounded()) ?? (number < 0 ? .min : .max)
            return SQLFragment("\(column) \(comparison.rawValue) ?", [.integer(pixels)], index: .other)
        }
        return SQLFragment("\(column) \(comparison.rawValue) ?", [.real(number)])
    }

    private func compare(_ field: SelectionField, _ comparison: Comparison, _ text: String) -> SQLFragment {
        switch field {
        case .format: Self.format(text)
        case .path, .photo:
            SQLFragment(
                "\(Self.column(field)) \(comparison.rawValue) ?", [.blob(Array(text.utf8))],
                index: field == .path ? .other : nil)
        default:
            SQLFragment(
                "\(Self.column(field)) \(comparison.rawValue) ?", [.text(text)],
                index: Self.indexed.contains(Self.column(field)) ? .other : nil)
        }
    }

    /// By the format's byte in the key, if it has one.
    private static func format(_ text: String) -> SQLFragment {
        guard let format = PhotoFormat(rawValue: text) else { return .never }
        let key = RenditionKey(digest: SHA256Value(of: []), format: format).bytes
        return SQLFragment("substr(r.key, 33) = ?", [.blob(Array(key.dropFirst(32)))])
    }

    private func taken(_ comparison: Comparison, _ period: DatePeriod) -> SQLFragment {
        let (start, end) = (DatabaseValue.text(period.prefix), DatabaseValue.text(period.end))
        return switch comparison {
        case .equal: SQLFragment("(r.captured >= ? AND r.captured < ?)", [start, end], index: .capture)
        case .less: SQLFragment("r.captured < ?", [start], index: .capture)
        case .lessOrEqual: SQLFragment("r.captured < ?", [end], index: .capture)
        case .greater: SQLFragment("r.captured >= ?", [end], index: .capture)
        case .greaterOrEqual: SQLFragment("r.captured >= ?", [start], index: .capture)
        }
    }

    private func asset(_ digits: String) -> SQLFragment {
        let missing = 64 - digits.utf8.count
        guard missing >= 0, let low = SHA256Value(hex: digits + String(repeating: "0", count: missing)),
            let high = SHA256Value(hex: digits + String(repeating: "f", count: missing))
        else { return .never }
        return SQLFragment(
            "r.asset IN (SELECT id FROM asset_numbers WHERE hash >= ? AND hash <= ?)",
            [.blob(low.bytes), .blob(high.bytes)], index: .other)
    }

    private func album(_ test: SelectionTest) -> SQLFragment {
        let all = "SELECT m.asset, m.frame FROM album_members m"
        let name: SQLFragment
        switch test {
        case .isEmpty: return SQLFragment("(r.asset, r.frame) NOT IN (\(all))")
        case .isLike(let pattern): name = like("lower(a.name)", pattern)
        case .compares(_, .text(let text)): name = SQLFragment("a.name = ?", [.text(text)])
        case .compares: return .never
        }
        return SQLFragment(
            "(r.asset, r.frame) IN (\(all) JOIN albums a ON a.id = m.album WHERE \(name.sql))", name.values,
            index: .other)
    }

    private func keyword(_ test: SelectionTest) -> SQLFragment {
        let word: SQLFragment
        switch test {
        case .isEmpty: return SQLFragment("coalesce(r.keywords, '') = ''")
        case .isLike(let pattern): word = like(Self.word, pattern)
        case .compares(_, .text(let text)): word = SQLFragment("\(Self.word) = ?", [.text(text)])
        case .compares: return .never
        }
        return SQLFragment(
            "(r.asset, r.key) IN (SELECT k.asset, k.key FROM keywords k WHERE \(word.sql))", word.values, index: .other)
    }
}
