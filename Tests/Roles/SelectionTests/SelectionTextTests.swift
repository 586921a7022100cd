import Selection
import Testing

@Suite("The text of a selection") struct SelectionTextTests {
    @Test(
        "All elements of the language are parsed",
        arguments: [
            "look = 'velvet'", "look = 'velvet@1'", "LOOK = 'Velvet' AND NOT taken < 2015", "camera like 'NIKON%'",
            "taken >= '2014-06'", "taken = '2014-06-01'", "taken = '2014-06-01 12:30'", "taken < '2014-06-01T12:30:15'",
            "width between 100 and 200", "format in ('jpeg', 'tiff')", "degraded is not null", "lens is null",
            "not not (not (width > 3))", "model not in ('a', 'it''s')", "exposure >= -0.5", "exposure = +1",
            "path not like '%\\_raw\\%'", "folder = '/2019/trip/'", "asset = '3FA9'", "model = 'é'",
            "\tlook\n=\r'velvet' ", "height <> 3", "megapixels not between 1 and 2 or space = 'display-p3'",
        ])
    func reads(text: String) throws {
        let selection = try Selection(text)
        #expect(selection.description == text)
        #expect(try Selection(selection.text) == selection)
    }

    /// The text, the character and a part of the message.
    static let mistakes: [(String, Int, String)] = [
        ("", 1, "the condition is empty"),
        ("   ", 4, "the condition is empty"),
        ("kamera = 'x'", 1, "no field \"kamera\"; did you mean camera?"),
        ("look = 'velvet' and xyzzy = 3", 21, "there are look, version,"),
        ("look = velvet", 8, "write text in single quotes: 'velvet'"),
        ("look = \"velvet\"", 8, "single quotes"),
        ("look == 'velvet'", 6, "a single ="),
        ("look = 'velvet", 8, "missing closing quote"),
        ("model = 'é' nad width > 3", 13, "did you mean and?"),
        ("look = 'velvet' taken < 2015", 17, "and, or, or the end"),
        ("taken < 2015-06", 9, "single quotes: '2014-06'"),
        ("taken = '2014-13'", 9, "'2015-06-01'"),
        ("taken = 20146", 9, "is a year"),
        ("taken = 2014.5", 9, "is a year"),
        ("width > '3'", 9, "has no quotes"),
        ("width > 3px", 9, "a space must follow"),
        ("width > .", 9, "not a valid number"),
        ("width > 1.2.3", 9, "not a valid number"),
        ("width > 99999999999999999999999999", 9, "not a valid number"),
        ("width like '3%'", 7, "cannot be compared by like"),
        ("folder like 'a%'", 8, "write path like"),
        ("camera < 'x'", 8, "has no order"),
        ("format = 'jpg'", 10, "did you mean 'jpeg'?"),
        ("asset = 'xyz'", 9, "hexadecimal"),
        ("look = 'a b'", 8, "'velvet@1'"),
        ("look = 'velvet@0x'", 8, "'velvet@1'"),
        ("folder = '../x'", 10, "a folder below a root"),
        ("degraded = null", 12, "is null"),
        ("degraded is nothing", 13, "null or not null"),
        ("width between 3", 16, "and, and the higher value"),
        ("width in 3", 10, "in parentheses"),
        ("width in (3, 4", 15, "a comma or a closing parenthesis"),
        ("width in ()", 11, "a value of width"),
        ("(width > 3", 11, "closing parenthesis"),
        ("width > 3)", 10, "the end"),
        ("width not > 3", 11, "in, between or like"),
        ("width", 6, "ends here"),
        ("and width > 3", 1, "a field"),
        ("path like 'a\\'", 11, "must not end with"),
        ("path like 3", 11, "a text in single quotes"),
        ("width > 3; drop table tree", 10, "unexpected \";\""),
        ("width > 3 -- comment", 11, "not a valid number"),
        ("model = 'a\0'", 11, "NUL"),
    ]

    @Test("An error is reported with place and remedy", arguments: mistakes)
    func namesMistakes(text: String, column: Int, message: String) {
        let error = #expect(throws: SelectionError.self) { try Selection(text) }
        #expect(error?.column == column, "\(text): \(error?.description ?? "")")
        #expect(error?.message.contains(message) == true, "\(text): \(error?.description ?? "")")
    }

    @Test("Conditions beyond the limits of nesting, length and parts are refused, and those just below are read")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "width > 3" + String(repeating: ")", count: depth)
        }
        func list(_ count: Int) -> String {
            "width in (" + (0..<count).map(String.init).joined(separator: ",") + ")"
        }
        _ = try Selection(nested(50))
        _ = try Selection(list(500))
        _ = try Selection(String(repeating: "not ", count: 4000) + "width > 3")
        for text in [
            nested(51), nested(9000), list(501), "model = '" + String(repeating: "x", count: 20_000) + "'",
            String(repeating: "(", count: 15_000), String(repeating: "not (", count: 3000),
        ] {
            #expect(throws: SelectionError.self) { try Selection(text) }
        }
    }
}
