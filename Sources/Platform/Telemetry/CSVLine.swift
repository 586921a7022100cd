/// A row of comma-separated values (RFC 4180) for spreadsheets.
public enum CSVLine {
    /// The row without line end. A cell that a spreadsheet would take for a formula is prefixed with an apostrophe.
    public static func text(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }

    private static func cell(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let safe = (isFormula ? "'" : "") + text
        guard isFormula || safe.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
