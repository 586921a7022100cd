import Foundation
import Glibc
import Mounts
import Testing

@testable import Storage

/// A folder's file system and its features.
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

    @Test("A path belongs to the innermost mount above it, and to the last of two at one place")
    func holding() {
        #expect(fileSystem(at: "/") == "ext4")
        #expect(fileSystem(at: "/mntx") == "ext4")
        #expect(fileSystem(at: "/mnt") == "tmpfs")
        #expect(fileSystem(at: "/mnt/my photos/2019") == "nfs")
        #expect(Mount.holding(Array("/a".utf8), in: []) == nil)
    }

    @Test("Locks are shared only over a network that is not mounted with local locks")
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
        // In a chroot, the kernel may name no mount.
        #expect(facts.kind.isEmpty == facts.mountPoint.isEmpty && !facts.isReadOnly)
        #expect(kind { _ = try FileSystemFacts(folder: Array("\(folder.path)/missing".utf8)) } == .notFound)
    }

    @Test("The features of files are tested without leaving files")
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
