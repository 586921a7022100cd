/// A row of comma-separated values (RFC 4180), as spreadsheets read it.
public enum CSVLine {
    /// The row, without its end. A text that a spreadsheet would take for a formula gets an apostrophe before it.
    public static func text(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }

    private static func cell(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let safe = (isFormula ? "'" : "") + text
        guard isFormula || safe.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
