import ExternalTools
import Foundation

/// A user by number; only root can run programs as such. A test that uses one has the trait `.needs(.otherUsers)`.
struct OtherUser {
    static let program = URL(fileURLWithPath: "/usr/bin/setpriv")

    let number: Int
    /// The user's groups, apart from one of the same number.
    let groups: [Int]
    /// A `rawmill` that the user can run: the build folder need not be readable for everyone.
    let rawmill: String

    func arguments(running program: String) -> [String] {
        let list = groups.map(String.init).joined(separator: ",")
        let membership = groups.isEmpty ? "--clear-groups" : "--groups=\(list)"
        return ["--reuid=\(number)", "--regid=\(number)", membership, "--", program]
    }

    /// Runs another program as this user.
    ///
    /// - Returns: its output.
    func run(_ program: String, _ arguments: [String]) throws -> String {
        try ExternalTool.run("setpriv", self.arguments(running: program) + arguments)
    }

    /// Copies the programs into a folder that everyone can read.
    ///
    /// - Returns: the path of `rawmill` there.
    static func install(in folder: URL) throws -> String {
        let folder = folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["rawmill", "rawmill-render"] {
            let built = Rawmill.program.deletingLastPathComponent().appending(path: name)
            try FileManager.default.copyItem(at: built, to: folder.appending(path: name))
        }
        return folder.appending(path: "rawmill").path
    }
}
