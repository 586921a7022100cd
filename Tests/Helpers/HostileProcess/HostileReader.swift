import CAttacks
import Glibc

/// A photo that takes over the process reading it. The photo names the attack: `rawmill-test:` and a word.
final class HostileReader {
    private var isDoomed = false

    func read(_ prefix: [UInt8]) {
        if isDoomed { abort() }
        let text = String(decoding: prefix.suffix(200), as: UTF8.self)
        guard let order = text.split(separator: "\n").last(where: { $0.hasPrefix("rawmill-test:") }) else { return }
        let words = order.dropFirst("rawmill-test:".count).split(separator: " ").map(String.init)
        switch words.first {
        case "attack":
            var target = rawmill_target(
                file: nil, folder: nil, parent: getppid(), secret: nil, port: 1, descriptor: -1)
            _ = rawmill_attack(words.last, &target)
        case "abort": abort()
        case "crash" where words.count == 2: isDoomed = true
        case "crash": UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
        case "exit": _exit(3)
        case "hang": while true {}
        case "sleep": while true { sleep(1) }
        case "lie":
            // A message of five bytes that is no valid answer.
            let message: [UInt8] = [5, 0, 0, 0, 1, 2, 3, 4, 5]
            _ = write(3, message, message.count)
        default: break
        }
    }
}
