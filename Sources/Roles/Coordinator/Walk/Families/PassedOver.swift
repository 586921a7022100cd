/// Names that a walk passes over, unless they are given as sources: hidden files and folders, recycle bins, snapshots, and folders
/// in which a system keeps files of its own, such as thumbnails.
enum PassedOver {
    /// In lower case: those of ext2 to ext4, of Windows, and of network storage by Synology and QNAP. Some of them cannot be read.
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
