import Foundation
import Glibc
import Storage
import Testing

@Suite struct RootTests {
    let scratch = try! Scratch()
    var root: Root { scratch.root }

    @Test(
        "A path that leads out of its root is refused, whatever is done with it",
        arguments: ["..", "../x", "/etc/passwd", "inside/../../etc/passwd", "out/passwd", "chain/passwd", "absolute"])
    func escapes(path: String) throws {
        try root.createFolders([UInt8]("inside"))
        symlink("/etc", "\(scratch.path)/out")
        symlink("out", "\(scratch.path)/chain")
        symlink("/etc/passwd", "\(scratch.path)/absolute")
        let bytes = [UInt8](path)
        #expect(kind { _ = try root.contents(of: bytes, limitBytes: 1 << 20) } == .pathEscapesRoot)
        #expect(kind { _ = try root.facts(of: bytes) } == .pathEscapesRoot)
        #expect(kind { _ = try root.identity(of: bytes) } == .pathEscapesRoot)
    }

    @Test("Nothing is written, linked or removed through a link that leads out of the root")
    func escapingWrites() throws {
        let outside = try Scratch()
        try outside.write("precious", to: "file")
        symlink(outside.path, "\(scratch.path)/out")
        try scratch.write("mine", to: "mine")
        #expect(kind { _ = try root.publish([UInt8]("x"), at: [UInt8]("out/new")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.publish([UInt8]("x"), at: [UInt8]("out/deeper/new")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.openFolder([UInt8]("out/markers")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.link([UInt8]("mine"), at: [UInt8]("out/mine")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.link([UInt8]("out/file"), at: [UInt8]("stolen")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.move([UInt8]("mine"), to: [UInt8]("out/mine")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.remove([UInt8]("out/file")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.lock([UInt8]("out/lock")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.entries(of: [UInt8]("out")) } == .pathEscapesRoot)
        #expect(try outside.names() == ["file"])
    }

    @Test("Magic links of /proc are not followed, though they lie beneath the root")
    func magicLinks() throws {
        let proc = try Root(path: "/proc/self")
        #expect(kind { _ = try proc.facts(of: [UInt8]("cwd")) } == .pathEscapesRoot)
        #expect(kind { _ = try proc.entries(of: [UInt8]("root")) } == .pathEscapesRoot)
    }

    @Test("Links that stay beneath the root are followed")
    func innerLinks() throws {
        try root.createFolders([UInt8]("a/b"))
        try scratch.write("text", to: "a/b/file")
        symlink("a/b", "\(scratch.path)/near")
        symlink("../a/b/file", "\(scratch.path)/a/back")
        #expect(try root.contents(of: [UInt8]("near/file"), limitBytes: 10) == [UInt8]("text"))
        #expect(try root.contents(of: [UInt8]("a/back"), limitBytes: 10) == [UInt8]("text"))
    }

    @Test("A loop of links, a NUL, an overlong name and a missing file each have their kind")
    func oddPaths() throws {
        symlink("loop", "\(scratch.path)/loop")
        #expect(kind { _ = try root.facts(of: [UInt8]("loop")) } == .pathEscapesRoot)
        #expect(kind { _ = try root.facts(of: [97, 0, 98]) } == .badPath)
        #expect(kind { _ = try root.facts(of: [UInt8](repeating: 97, count: 300)) } == .badPath)
        #expect(kind { _ = try root.facts(of: [UInt8]("nothing")) } == .notFound)
        #expect(try root.factsIfPresent(of: [UInt8]("nothing")) == nil)
        for bad in ["", ".", "..", "a/..", "a/"] {
            #expect(kind { _ = try root.remove([UInt8](bad)) } == .badPath, "\(bad)")
        }
    }

    @Test("Names need not be UTF-8")
    func bytesInNames() throws {
        let name: [UInt8] = [0xFF, 0xFE, 0x20, 0xE4]
        _ = try root.publish([UInt8]("x"), at: [UInt8]("dir/") + name)
        #expect(try root.entries(of: [UInt8]("dir")).map(\.name) == [name])
        #expect(try root.contents(of: [UInt8]("dir/") + name, limitBytes: 10) == [UInt8]("x"))
    }

    @Test("A root is made with the folders above it, and a missing one is not found")
    func creating() throws {
        let deep = "\(scratch.path)/x/y/z"
        #expect(kind { _ = try Root(path: deep) } == .notFound)
        _ = try Root(path: deep, creating: true)
        _ = try Root(path: deep + "/", creating: true)
        #expect(FileManager.default.fileExists(atPath: deep))
    }

    @Test("Errors name the act, the file and the cause")
    func sentences() throws {
        do {
            _ = try root.contents(of: [UInt8]("a/IMG_1.NEF"), limitBytes: 1)
            Issue.record("it was found")
        } catch {
            #expect(error.description == "cannot read \"a/IMG_1.NEF\": it does not exist")
        }
    }

    @Test("A server that does not answer is told from a damaged sector")
    func gone() {
        #expect(StorageError(.unavailable, "read", [], number: ESTALE).isStorageGone)
        #expect(StorageError(.unavailable, "read", [], number: ENOTCONN).isStorageGone)
        #expect(StorageError(.unavailable, "open", [], number: ENFILE).isStorageGone)
        #expect(!StorageError(.unavailable, "read", [], number: EIO).isStorageGone)
    }
}
