import Foundation
import Glibc
import Mounts
import Testing

@testable import Storage

/// What a folder's file system is, and what it can do.
@Suite struct FileSystemFactsTests {
    private let mounts = Array(
        #"""
        1 0 98:0 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=continue
        2 1 0:40 / /mnt rw - tmpfs none rw
        3 1 0:41 / /mnt/my\040photos rw shared:3 master:4 - nfs4 nas:/export rw,vers=4.2,local_lock=none
        4 1 0:42 / /mnt/my\040photos ro - nfs nas:/export ro,nolock,local_lock=all
        garbage
        5 1 0:43 / /half - ext4
        """#.utf8)

    private func fileSystem(at path: String) -> String? { Mount.holding(Array(path.utf8), in: mounts)?.kind }

    @Test("A path is on the innermost mount that holds it, and on the last of two at one place")
    func holding() {
        #expect(fileSystem(at: "/") == "ext4")
        #expect(fileSystem(at: "/mntx") == "ext4")
        #expect(fileSystem(at: "/mnt") == "tmpfs")
        #expect(fileSystem(at: "/mnt/my photos/2019") == "nfs")
        #expect(Mount.holding(Array("/a".utf8), in: []) == nil)
    }

    @Test("Locks are shared only over a network that is not told to keep them")
    func locks() throws {
        let lines = String(decoding: mounts, as: UTF8.self).split(separator: "\n")
        let facts = try [0, 2, 3].map { FileSystemFacts(mount: try #require(Mount(lines[$0]))) }
        #expect(facts.map(\.isNetwork) == [false, true, true])
        #expect(facts.map(\.sharesLocks) == [false, true, false])
    }

    @Test("A folder's facts are the kernel's")
    func real() throws {
        let folder = try TemporaryRoot()
        let facts = try FileSystemFacts(folder: Array(folder.path.utf8))
        #expect(facts.totalBytes >= facts.freeBytes && facts.totalBytes > 0)
        // In a folder that chroot(2) made the root, the kernel may name no mount.
        #expect(facts.kind.isEmpty == facts.mountPoint.isEmpty && !facts.isReadOnly)
        #expect(kind { _ = try FileSystemFacts(folder: Array("\(folder.path)/missing".utf8)) } == .notFound)
    }

    @Test("What files can do is tried, and nothing is left behind")
    func abilities() throws {
        let folder = try TemporaryRoot()
        let abilities = try folder.root.abilities()
        #expect(abilities.locks && abilities.hardLinks && abilities.exclusiveRename && abilities.exchange)
        #expect(try folder.names().isEmpty)
        #expect(kind { _ = try folder.root.abilities(of: [UInt8]("missing")) } == .notFound)
    }

    @Test("A file system in memory shares no blocks", .enabled(if: access("/dev/shm", W_OK) == 0))
    func memory() throws {
        let path = "/dev/shm/rawmill-\(UUID().uuidString)"
        let root = try Root(path: path, creating: true)
        defer { rmdir(path) }
        #expect(try FileSystemFacts(folder: Array(path.utf8)).kind == "tmpfs")
        #expect(try !root.abilities().reflink)
    }
}
