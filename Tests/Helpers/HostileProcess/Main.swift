import CAttacks
import Glibc
import MetadataHost
import RenderHost
import Rendering
import Sandbox

/// A render process taken over by a file: it enters the sandbox like any render process, and then misbehaves. It
/// reports the result on descriptor 3.
///
/// usage: hostile-process ATTACK LAYERS FILE FOLDER PARENT ADDRESS PORT, where LAYERS is `all`, `system-calls`,
/// `landlock` or `none`
///
/// As a metadata process it obeys the files it reads: see `HostileReader`.
@main
struct HostileProcess {
    static func main() {
        let words = CommandLine.arguments
        if words.count > 1, words[1] == MetadataProcess.command {
            exit(MetadataProcess.run(Array(words.dropFirst(2)), beforeReading: HostileReader().read))
        }
        guard words.count == 8, let parent = Int32(words[5]), let address = UInt(words[6]), let port = Int32(words[7])
        else { exit(EX_USAGE) }
        let descriptor = rawmill_given_file(words[4])
        do throws(SandboxError) {
            if let features = features(words[2]) {
                try RenderSandbox.enter(addressSpaceBytes: 2 << 30, maxFileBytes: 1 << 20, features: features)
            }
        } catch {
            answer("no sandbox: \(error)")
            exit(EX_SOFTWARE)
        }
        switch words[1] {
        case "environment": answer(environmentNames().joined(separator: " "))
        case "descriptors":
            answer(openDescriptors().filter { $0 != descriptor }.map(String.init).joined(separator: " "))
        case "status": answer("")
        default:
            let result = words[3].withCString { file in
                words[4].withCString { folder in
                    var target = rawmill_target(
                        file: file, folder: folder, parent: parent, secret: UnsafeRawPointer(bitPattern: address),
                        port: port, descriptor: descriptor)
                    return rawmill_attack(words[1], &target)
                }
            }
            answer("\(result)")
        }
        // The parent inspects this process and then ends it.
        while true { sleep(1) }
    }

    private static func features(_ layers: String) -> SandboxFeatures? {
        let available = SandboxFeatures.available
        return switch layers {
        case "all": available
        case "system-calls": SandboxFeatures(landlockVersion: 0, seccomp: available.seccomp)
        case "landlock": SandboxFeatures(landlockVersion: available.landlockVersion, seccomp: false)
        default: nil
        }
    }

    private static func answer(_ text: String) { _ = write(3, text + "\n", text.utf8.count + 1) }

    private static func environmentNames() -> [String] {
        var names: [String] = []
        var next = environ
        while let variable = next.pointee {
            names.append(String(String(cString: variable).prefix { $0 != "=" }))
            next += 1
        }
        return names.sorted()
    }

    private static func openDescriptors() -> [Int32] {
        (0..<1024).filter { descriptor in
            var state = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&state, 1, 0) >= 0 && state.revents & Int16(POLLNVAL) == 0
        }
    }
}
