internal import CPage

/// The files of `Sources/Page`, embedded in the program.
public enum EmbeddedPage {
    /// Contents by file name.
    public static var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var count = 0
        let all = unsafe rawmill_page_files(&count)
        for index in 0..<count {
            guard let file = unsafe all.map({ unsafe $0[index] }), let start = unsafe file.bytes else { continue }
            files[unsafe String(cString: file.name)] = unsafe Array(
                UnsafeBufferPointer(start: start, count: file.count))
        }
        return files
    }
}
