/// Names that a walk skips unless they are given as sources: hidden files and folders, recycle bins, snapshots, and
/// folders with a system's own files, such as thumbnails.
enum PassedOver {
    /// In lower case: those of ext2 to ext4, Windows, and network storage by Synology and QNAP. Some of them cannot be
    /// read.
    static let systemFolders: Set<String> = [
        "lost+found", "$recycle.bin", "recycler", "system volume information", "#recycle", "#snapshot", "@eadir",
        "@recycle",
        "@recently-snapshot",
    ]

    static func contains(file name: some Collection<UInt8>) -> Bool { name.first == .dot }

    static func contains(folder name: some Collection<UInt8>) -> Bool {
        name.first == .dot || systemFolders.contains(String(decoding: name, as: UTF8.self).lowercased())
    }
}
