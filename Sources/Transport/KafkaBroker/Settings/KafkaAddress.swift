/// Why settings are invalid, and how to correct them.
public struct KafkaSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One or two sentences for the user.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The address of a cluster: `kafka://host:port[,host:port]` with some of its brokers. The default port is 9092.
public struct KafkaAddress: Hashable, Sendable, CustomStringConvertible {
    /// The brokers in librdkafka's form: "host:port,host:port".
    public let servers: String

    /// The address as a user writes it.
    public var description: String { "kafka://\(servers)" }

    /// The scheme at the start of every address.
    public static let scheme = "kafka://"

    /// Parses an address. The error says what is wrong with the text and shows the form.
    public init(_ text: String) throws(KafkaSettingsError) {
        guard text.hasPrefix(Self.scheme) else { throw Self.malformed(text, "it does not begin with \(Self.scheme)") }
        var servers: [String] = []
        for server in text.dropFirst(Self.scheme.count).split(separator: ",", omittingEmptySubsequences: false) {
            servers.append(try Self.server(server, text))
        }
        self.servers = servers.joined(separator: ",")
    }

    private static func server(_ text: Substring, _ whole: String) throws(KafkaSettingsError) -> String {
        guard !text.contains("@") else {
            // The text before the @ may hold a password, so it is not shown.
            throw KafkaSettingsError(
                "the broker's address contains a user name. Set the properties sasl.username and sasl.password instead."
            )
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        // An IPv6 address contains colons, and is enclosed in brackets.
        let hasPort = !(text.hasPrefix("[") && text.hasSuffix("]")) && parts.count > 1
        let host = hasPort ? text.dropLast((parts.last?.count ?? 0) + 1) : text
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let allowed = host.utf8.allSatisfy { isNameByte($0) || (isBracketed && [0x3A, 0x5B, 0x5D].contains($0)) }
        guard !host.isEmpty, allowed else { throw malformed(whole, "\"\(text)\" has no valid host") }
        guard hasPort else { return "\(host):9092" }
        guard let port = UInt16(parts.last ?? ""), port > 0 else {
            throw malformed(whole, "\"\(text)\" has no valid port")
        }
        return "\(host):\(port)"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
        }
    }

    private static func malformed(_ text: String, _ why: String) -> KafkaSettingsError {
        // The text before an @ may be a password.
        guard !text.contains("@") else {
            return KafkaSettingsError("not a valid broker address. Write kafka://host:port[,host:port].")
        }
        return KafkaSettingsError(
            "\"\(text)\" is not a valid broker address: \(why). Write kafka://host:port[,host:port].")
    }
}
