import Digest
import Glibc
import Storage

/// The ways in which users' programs save a file.
enum SavingProgram: String, CaseIterable, Sendable {
    /// Into the same file, like `exiftool -overwrite_original_in_place`.
    case inPlace
    /// The same, by a program that has the file open for a while.
    case slowly
    /// A new file that gets the old one's name, like `exiftool -overwrite_original` and most editors.
    case byRenaming

    /// Appends text to a file: a JPEG's picture is unchanged.
    ///
    /// - Returns: the resulting contents; nil if the file no longer exists or is not writable.
    func save(_ path: String, adding text: String) -> SHA256Value? {
        switch self {
        case .inPlace: Self.write(text, into: path, pause: 0)
        case .slowly: Self.write(text, into: path, pause: 150_000)
        case .byRenaming: Self.replace(path, adding: text)
        }
    }

    /// - Parameter pause: between the first half and the second, in microseconds.
    private static func write(_ text: String, into path: String, pause: UInt32) -> SHA256Value? {
        let file = unsafe open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard OpenFile.write(bytes.prefix(bytes.count / 2), to: file) else { return nil }
        if pause > 0 { usleep(pause) }
        guard OpenFile.write(bytes.suffix(bytes.count - bytes.count / 2), to: file) else { return nil }
        // By its descriptor: by now another file may have the name.
        return OpenFile.contents(of: file).map { SHA256Value(of: $0) }
    }

    private static func replace(_ path: String, adding text: String) -> SHA256Value? {
        let (folder, name) = FolderListing.parts(of: path)
        guard let root = try? Root(path: folder),
            let old = try? root.contents(of: Array(name.utf8), limitBytes: 1 << 30)
        else { return nil }
        let (bytes, saved) = (old + Array(text.utf8), "\(name)_exiftool_tmp")
        guard (try? root.publish(bytes, at: Array(saved.utf8), isDurable: false)) != nil,
            unsafe rename("\(folder)/\(saved)", path) == 0
        else { return nil }
        return SHA256Value(of: bytes)
    }
}

/// Files by their descriptors.
enum OpenFile {
    static func write(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count
    }

    /// The file's contents; nil if they cannot be read.
    static func contents(of file: Int32) -> [UInt8]? {
        var contents: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe pread(file, &part, part.count, off_t(contents.count))
            if count < 0 { return nil }
            if count == 0 { return contents }
            contents += part.prefix(count)
        }
    }
}
