internal import Glibc
internal import Mounts

/// The file system that a folder is on.
public struct FileSystemFacts: Hashable, Sendable {
    /// The kernel's name of the type: `ext4`, `nfs4`, `fuse.sshfs`; empty if unknown.
    public let kind: String
    /// Mount point; empty if unknown.
    public let mountPoint: String
    /// Mount options.
    public let options: Set<String>
    /// Bytes available to this process.
    public let freeBytes: UInt64
    /// Size in bytes.
    public let totalBytes: UInt64
    /// Whether it is mounted read-only.
    public let isReadOnly: Bool

    /// The file system of an existing folder. Throws `notFound`, or another kind if the folder cannot be inspected.
    public init(folder path: [UInt8]) throws(StorageError) {
        var facts = statvfs()
        guard unsafe path.withCString({ unsafe statvfs($0, &facts) }) == 0 else {
            throw StorageError(errno: errno, "look at", path)
        }
        let block = UInt64(facts.f_frsize)
        freeBytes = UInt64(facts.f_bavail).multipliedReportingOverflow(by: block).partialValue
        totalBytes = UInt64(facts.f_blocks).multipliedReportingOverflow(by: block).partialValue
        isReadOnly = facts.f_flag & UInt(ST_RDONLY) != 0
        let mount = RealPath.of(path).flatMap { real in Self.mounts.flatMap { Mount.holding(real, in: $0) } }
        kind = mount?.kind ?? ""
        mountPoint = mount.map { String(decoding: $0.path, as: UTF8.self) } ?? ""
        options = Set(mount.map { $0.options + $0.fileSystemOptions } ?? [])
    }

    /// From a mount alone, without sizes.
    init(mount: Mount) {
        kind = mount.kind
        mountPoint = String(decoding: mount.path, as: UTF8.self)
        options = Set(mount.options + mount.fileSystemOptions)
        freeBytes = 0
        totalBytes = 0
        isReadOnly = false
    }

    /// Whether other machines may have it mounted, too.
    public var isNetwork: Bool { Self.networkKinds.contains(kind) }

    /// Whether locks taken here also hold on other machines. NFS can be mounted with local locks.
    public var sharesLocks: Bool {
        isNetwork && !options.contains("nolock")
            && !options.contains { $0.hasPrefix("local_lock=") && $0 != Self.noLocal }
    }

    private static let noLocal = "local_lock=none"

    private static let networkKinds: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "9p", "afs", "lustre", "glusterfs", "beegfs", "gfs2", "ocfs2",
        "gpfs", "pvfs2", "coda", "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.ceph-fuse", "fuse.s3fs",
        "fuse.rclone",
        "fuse.davfs", "fuse.juicefs", "fuse.mount.davfs", "fuse.JuiceFS", "fuse.mfs", "fuse.lizardfs", "fuse.seaweedfs",
        "fuse.gcsfuse", "fuse.goofys", "fuse.mountpoint-s3", "fuse.blobfuse", "fuse.blobfuse2", "fuse.smbnetfs",
        "fuse.curlftpfs",
    ]

    private static var mounts: [UInt8]? {
        let path = Array("/proc/self/mountinfo".utf8)
        let number = retrying { unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) } }
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while text.count < maxMountBytes {
            let count = unsafe part.withUnsafeMutableBytes { bytes in unsafe (try? file.read(into: bytes, path)) ?? 0 }
            if count == 0 { break }
            text += part[..<count]
        }
        return text
    }

    /// Limit for /proc/self/mountinfo.
    private static let maxMountBytes = 16 << 20
}

extension Mount {
    /// The mount that an absolute path without links is on: the innermost, and the last of several at the same place.
    static func holding(_ path: [UInt8], in text: [UInt8]) -> Mount? {
        var found: Mount?
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            guard let mount = Mount(line), mount.holds(path) else { continue }
            if mount.path.count >= found?.path.count ?? 0 { found = mount }
        }
        return found
    }

    private func holds(_ other: [UInt8]) -> Bool {
        let slash = UInt8(ascii: "/")
        return path == [slash] || other == path || other.starts(with: path + [slash])
    }
}
