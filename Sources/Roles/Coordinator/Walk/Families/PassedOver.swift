/// What a walk passes over unless somebody names it: hidden files and folders, and the folders in which systems keep what was
/// deleted, states of before, and files of their own.
enum PassedOver {
    /// Of ext2 to ext4, of Windows, and of the network storage of Synology and QNAP. What lies in them is deleted, is there under
    /// its own name, or is no photo; some may not be read by anybody.
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
