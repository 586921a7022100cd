import Testing

@testable import Arguments

/// Credentials in users' input.
@Suite struct CredentialsTests {
    @Test(
        "Names and passwords in addresses are hidden, with any characters",
        arguments: [
            ("http://host:4318/v1", "http://host:4318/v1"), ("http://ann:s3cret@host:4318", "http://…@host:4318"),
            ("kafka://a:9092,ann:s3/c@ret,x@b:9092", "kafka://…@b:9092"), ("ann:s3cret@host:9092", "…@host:9092"),
            ("the address http://ann:s3cret@host is wrong", "the address http://…@host is wrong"),
            ("photos@home.jpg", "photos@home.jpg"), ("http://token@host", "http://…@host"), ("", ""), ("@", "@"),
        ])
    func hidden(text: String, shown: String) { #expect(Credentials.hidden(in: text) == shown) }

    @Test("No error message shows a password")
    func messages() {
        let address = [UInt8]("http://ann:s3cret@host".utf8)
        let typed = RawArgument(bytes: address, location: "--trace", origin: .commandLine)
        let problems: [UsageError.Problem] = [
            .invalid(given: typed, expected: "an address"), .surplus("http://ann:s3cret@host"),
            .unknownOption("--broker:kafka://ann:s3cret@host", near: nil),
            .unknownCommand("kafka://ann:s3cret@host", near: nil),
        ]
        for problem in problems { #expect(!UsageError(problem).description.contains("s3cret"), "\(problem)") }
    }
}
