package import Database
package import Manifests

/// The columns of photo facts in the table `renditions`, one for each of `PhotoFact.all`.
package enum FactColumns {
    package static let names = PhotoFact.all.map(\.column)
    /// For a query that names the table `r`.
    package static let list = names.map { "r.\($0)" }.joined(separator: ", ")
    package static let count = Int32(PhotoFact.all.count)

    /// Statements that add columns for facts, NULL in existing rows.
    ///
    /// - Parameters:
    ///   - keys: facts that no other statement adds.
    ///   - isOnServer: true for PostgreSQL's syntax.
    static func additions(_ keys: [String], isOnServer: Bool) -> String {
        keys.compactMap { PhotoFact.named($0) }.map { fact in
            "ALTER TABLE renditions ADD COLUMN \(fact.column) \(type(of: fact, isOnServer: isOnServer));"
        }.joined(separator: "\n")
    }

    private static func type(of fact: PhotoFact, isOnServer: Bool) -> String {
        switch fact.kind {
        case .text, .lines: isOnServer ? "text COLLATE \"C\"" : "TEXT"
        case .whole: isOnServer ? "bigint" : "INTEGER"
        case .number: isOnServer ? "double precision" : "REAL"
        }
    }
}

extension PhotoFacts {
    /// Reads columns in the order of `FactColumns.names`.
    package init(_ row: borrowing Row, at first: Int32) {
        self.init()
        for (fact, column) in zip(PhotoFact.all, first...) where !row.isNull(column) {
            switch fact.kind {
            case .text, .lines: fact.set(.text(row.text(column)), in: &self)
            case .whole: fact.set(.whole(row.integer(column)), in: &self)
            case .number: fact.set(.number(row.real(column)), in: &self)
            }
        }
    }

    package func values(of facts: [PhotoFact] = PhotoFact.all) -> [DatabaseValue] {
        facts.map { fact in
            switch fact.value(in: self) {
            case .text(let text)?: .text(text)
            case .whole(let number)?: .integer(number)
            case .number(let number)?: .real(number)
            case nil: .null
            }
        }
    }
}
