import Foundation

/// Processes and their children, from /proc.
enum ProcessTree {
    /// The process's living direct children.
    static func children(of parent: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { facts($0)?.parent == parent }
    }

    /// False for a process that has ended, a zombie included.
    static func isAlive(_ process: Int32) -> Bool { facts(process).map { $0.state != "Z" && $0.state != "X" } ?? false }

    static func areGone(_ processes: [Int32], within seconds: Double) -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            if !processes.contains(where: isAlive) { return true }
            usleep(10_000)
        }
        return false
    }

    private static func facts(_ process: Int32) -> (state: String, parent: Int32)? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let words = text[end...].split(separator: " ")
        guard words.count > 2, let parent = Int32(words[2]) else { return nil }
        return (String(words[1]), parent)
    }
}

extension ProcessTree {
    /// Processes with the text on their command line, except this one.
    static func naming(_ text: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { process in
            guard process != getpid(), isAlive(process),
                let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else { return false }
            return String(decoding: line, as: UTF8.self).contains(text)
        }
    }
}
