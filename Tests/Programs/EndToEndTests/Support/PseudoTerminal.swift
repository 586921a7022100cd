import Foundation

enum PseudoTerminal {
    /// False on a machine where no devpts is mounted, as in a bare change of root: no program can be shown a terminal.
    static let isThere = FileManager.default.fileExists(atPath: "/dev/pts/ptmx")
}
