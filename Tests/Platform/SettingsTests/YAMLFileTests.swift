import SeededRandom
import Testing

@testable import Settings

@Suite("A settings file")
struct YAMLFileTests {
    private func read(_ text: String) throws(SettingsError) -> SettingsNode? {
        try YAMLFile.read(Array(text.utf8), file: "rawmill.yaml")
    }

    private func error(_ text: String) -> String? {
        do throws(SettingsError) {
            _ = try read(text)
            return nil
        } catch { return error.description }
    }

    @Test("is read with the place of every part")
    func places() throws {
        let top = try #require(try read("broker: kafka://a\nroot:\n  archive: /mnt/archive\n"))
        guard case .map(let pairs) = top.content, case .map(let roots) = pairs[1].value.content else {
            Issue.record("no maps")
            return
        }
        #expect(pairs[0].value.scalar == Array("kafka://a".utf8))
        #expect(pairs[0].value.location.description == "rawmill.yaml:1:9")
        #expect(roots[0].key.location.description == "rawmill.yaml:3:3")
        #expect(roots[0].value.location.description == "rawmill.yaml:3:12")
    }

    @Test("with only comments is empty")
    func empty() throws {
        #expect(try read("# nothing\n") == nil)
        #expect(try read("") == nil)
    }

    @Test(
        "with an error gives place and cause",
        arguments: [
            ("a: 1\nb: [1, 2", "rawmill.yaml:3:"), ("a: 1\na: 2\n", "rawmill.yaml:2:1: duplicate key a"),
            ("a: &x 1\nb: *x\n", "rawmill.yaml:2:4: aliases"), ("a: 1\n---\nb: 2\n", "rawmill.yaml:"),
            ("? [1]\n: 2\n", "a key must be plain text"), ("a: \t@", "rawmill.yaml:1:"),
            (String(repeating: "- ", count: 40) + "1", "too deep"),
        ])
    func refused(text: String, words: String) throws {
        let found = try #require(error(text))
        #expect(found.contains(words), "\(found)")
    }

    @Test("of any bytes is read or refused, never a crash")
    func garbage() throws {
        var random = SeededGenerator()
        let marks = Array(":-[]{}&*!|>'\"%@` \n#?,".utf8)
        var (accepted, refused) = (0, 0)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random) : marks.randomElement(using: &random) ?? 0
            }
            do { _ = try YAMLFile.read(bytes, file: "x") } catch {
                refused += 1
                continue
            }
            accepted += 1
        }
        #expect(accepted > 0 && refused > 0, "seed \(random.seed): \(accepted) accepted, \(refused) refused")
        let sound = try #require(try read("a: [1, 2]\n"))
        guard case .map(let pairs) = sound.content else { return #expect(Bool(false), "no map") }
        #expect(pairs.count == 1)
    }
}
