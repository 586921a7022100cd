import Foundation
import Glibc
import Testing

@testable import KafkaBroker

/// Passwords on their way to librdkafka.
@Suite struct SecretTests {
    private func withFile(_ text: String, mode: mode_t, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        #expect(chmod(path, mode) == 0)
        try body(path)
    }

    @Test("A password file that is readable by everyone is named with its remedy, and one of the owner's is not")
    func exposed() throws {
        for (mode, isExposed) in [(mode_t(0o644), true), (0o604, true), (0o640, false), (0o600, false)] {
            try withFile("s3cret\n", mode: mode) { path in
                var properties = KafkaProperties()
                try properties.set("sasl.password.file=\(path)", from: .commandLine)
                #expect(properties.values == ["sasl.password": "s3cret"])
                #expect(properties.exposures.isEmpty != isExposed)
                #expect(properties.exposures.allSatisfy { $0.contains(path) && $0.contains("chmod o-r") })
                #expect(properties.exposures.allSatisfy { !$0.contains("s3cret") })
            }
        }
    }

    @Test("A settings file counts only if it contains a secret")
    func settingsFile() throws {
        try withFile("", mode: 0o644) { path in
            var properties = KafkaProperties()
            try properties.set("security.protocol=ssl", from: .settingsFile)
            properties.checkSettingsFile(path)
            #expect(properties.exposures.isEmpty)
            try properties.set("sasl.password=s3cret", from: .settingsFile)
            properties.checkSettingsFile(path)
            #expect(properties.exposures.count == 1)
        }
    }

    @Test(
        "No message about an address shows a password",
        arguments: ["ann:s3cret@host:9092", "kafka://bad host,ann:s3cret@host", "kafka://ann:s3cret@host", "s3cret@"])
    func address(text: String) {
        do {
            _ = try KafkaAddress(text)
            Issue.record("it was taken")
        } catch {
            #expect(!"\(error)".contains("s3cret"))
        }
    }
}
