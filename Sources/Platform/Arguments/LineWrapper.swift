enum LineWrapper {
    /// Wraps text at spaces into lines of at most `columns` characters. A longer word gets its own line. Keeps line
    /// feeds.
    static func lines(_ text: String, columns: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            wrap(paragraph, columns: columns)
        }
    }

    private static func wrap(_ paragraph: Substring, columns: Int) -> [String] {
        // An indented line is preformatted: a table or a command.
        if paragraph.first == " " { return [String(paragraph)] }
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }

    /// Two columns. The right text starts beside the left one, or below it if the left one is too long.
    static func columns(_ left: String, _ right: String, leftWidth: Int, width: Int) -> [String] {
        let indent = String(repeating: " ", count: leftWidth)
        let rightLines = lines(right, columns: max(20, width - leftWidth))
        if left.count > leftWidth - 2 { return [left] + rightLines.map { indent + $0 } }
        let padded = left + String(repeating: " ", count: leftWidth - left.count)
        return rightLines.enumerated().map { index, line in (index == 0 ? padded : indent) + line }
    }
}
