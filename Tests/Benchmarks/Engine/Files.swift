import Glibc

struct FileFailure: Error, CustomStringConvertible {
    let path: String
    /// The problem with the file.
    var reason = "cannot be read or written"

    var description: String { "\(path): \(reason)" }
}

/// Prints a line for the user.
func tell(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

func readFile(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw FileFailure(path: path) }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: size)
    guard fread(&bytes, 1, size, file) == size else { throw FileFailure(path: path) }
    return bytes
}

func writeFile(_ path: String, _ parts: UnsafeRawBufferPointer...) throws {
    guard let file = fopen(path, "wb") else { throw FileFailure(path: path) }
    defer { fclose(file) }
    for bytes in parts {
        guard fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count else { throw FileFailure(path: path) }
    }
}

/// Kilobytes of the largest resident size so far.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(0 as __rusage_who_t, &usage)  // RUSAGE_SELF
    return usage.ru_maxrss
}
