import CommandLineTool
import Storage
import WebService

/// The file with the tokens of a served library: each line has a role, a name and a token.
///
///     admin     ann      2b7e151628aed2a6abf7158809cf4f3c
///     operator  import   8d969eef6ecad3c29a3a629280e686cf
///     viewer    wall     e3b0c44298fc1c149afbf4c8996fb924
enum TokenFile {
    private static let limitBytes: UInt64 = 1 << 20

    /// Throws `CommandFailure` for an unreadable file or an invalid line.
    static func tokens(at path: String) throws -> [AccessControl.Token] {
        let (folder, name) =
            path.lastIndex(of: "/").map {
                (String(path[..<$0]), String(path[path.index(after: $0)...]))
            } ?? (".", path)
        let bytes: [UInt8]
        do {
            bytes = try Root(path: folder.isEmpty ? "/" : folder).contents(of: Array(name.utf8), limitBytes: limitBytes)
        } catch {
            throw CommandFailure("the token file \(path) cannot be read: \(error.cause).")
        }
        var tokens: [AccessControl.Token] = []
        for (number, line) in String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == 3, let role = AccessRole(rawValue: words[0]), words[2].utf8.count >= 16 else {
                throw CommandFailure(
                    "line \(number + 1) of the token file \(path) must be a role (viewer, operator or admin), a name, and a "
                        + "token of 16 characters or more.")
            }
            tokens.append(AccessControl.Token(words[2], name: words[1], role: role))
        }
        guard !tokens.isEmpty else { throw CommandFailure("the token file \(path) contains no token.") }
        return tokens
    }
}
