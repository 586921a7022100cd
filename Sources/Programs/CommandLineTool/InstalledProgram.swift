internal import Glibc
internal import Storage

/// The installed programs: `bin/rawmill` and `libexec/rawmill/rawmill-torture`. A build has all of them in one folder.
package enum InstalledProgram {
    /// The absolute path of the running program. Throws `CommandFailure` if /proc is not mounted.
    package static func running() throws -> String {
        guard let path = RealPath.of(Array("/proc/self/exe".utf8)) else {
            throw CommandFailure(
                "/proc is not mounted. Mount it: the program finds its other files through it.",
                status: ExitStatus.fault)
        }
        return String(decoding: path, as: UTF8.self)
    }

    /// The absolute path of another program of this installation.
    ///
    /// - Parameter folders: where to look after the running program's folder, relative to it.
    /// - Throws: `CommandFailure` with the remedy if it is missing.
    package static func path(of name: String, in folders: [String]) throws -> String {
        let folder = try running().split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let candidates = ([folder] + folders.map { "\(folder)/\($0)" }).map { "\($0)/\(name)" }
        if let path = candidates.first(where: { unsafe access($0, X_OK) == 0 }) { return path }
        throw CommandFailure(
            "\(name) is not installed: neither \(candidates.joined(separator: " nor ")) exists. "
                + "Deploy/build builds and installs both programs.")
    }
}
