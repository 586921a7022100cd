import Foundation
import Glibc
import Storage
import Testing

@Suite struct RootTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }

    init() throws { temporary = try TemporaryRoot() }

    @Test(
        "A path that leaves its root is refused by every operation",
        arguments: ["..", "../x", "/etc/passwd", "inside/../../etc/passwd", "out/passwd", "chain/passwd", "absolute"])
    func escapes(path: String) throws {
        try root.createFolders([UInt8]("inside"))
        symlink("/etc", "\(temporary.path)/out")
        symlink("out", "\(temporary.path)/chain")
        symlink("/etc/passwd", "\(temporary.path)/absolute")
        let bytes = [UInt8](path)
        #expect(kind { _ = try root.contents(of: bytes, limitBytes: 1 << 20) } == .pathEscapesRoot)
        #expect(kind { _ = try root.facts(of: bytes) } == .pathEscapesRoot)
        #expect(kind { _ = try root.digest(of: bytes) } == .pathEscapesRoot)
    }

    @Test("Nothing is written, linked or removed through a link that leaves the root")
    func escapingWrites() throws {
        let outside = try TemporaryRoot()
        try outside.write("precious", to: "file")
        symlink(outside.path, "\(temporary.path)/out")
        try temporary.write("mine", to: "mine")
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

    @Test("Magic links of /proc are not followed, even beneath the root")
    func magicLinks() throws {
        let proc = try Root(path: "/proc/self")
        #expect(kind { _ = try proc.facts(of: [UInt8]("cwd")) } == .pathEscapesRoot)
        #expect(kind { _ = try proc.entries(of: [UInt8]("root")) } == .pathEscapesRoot)
    }

    @Test("Links that stay beneath the root are followed")
    func innerLinks() throws {
        try root.createFolders([UInt8]("a/b"))
        try temporary.write("text", to: "a/b/file")
        symlink("a/b", "\(temporary.path)/near")
        symlink("../a/b/file", "\(temporary.path)/a/back")
        #expect(try root.contents(of: [UInt8]("near/file"), limitBytes: 10) == [UInt8]("text"))
        #expect(try root.contents(of: [UInt8]("a/back"), limitBytes: 10) == [UInt8]("text"))
    }

    @Test("A loop of links, a NUL, an overlong name and a missing file are distinguished")
    func oddPaths() throws {
        symlink("loop", "\(temporary.path)/loop")
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

    @Test("A root is created with the folders above it only when asked to")
    func creating() throws {
        let deep = "\(temporary.path)/x/y/z"
        #expect(kind { _ = try Root(path: deep) } == .notFound)
        _ = try Root(path: deep, creating: true)
        _ = try Root(path: deep + "/", creating: true)
        #expect(FileManager.default.fileExists(atPath: deep))
    }

    @Test(
        "A root that may not be created is reported as such, not as missing",
        .enabled(if: access("/sys/kernel", F_OK) == 0))
    func forbidden() {
        let found = kind { _ = try Root(path: "/sys/rawmill/photos", creating: true) }
        #expect(found == .permissionDenied || found == .readOnly, "\(String(describing: found))")
    }

    @Test("Errors name the action, the file and the cause")
    func sentences() throws {
        do {
            _ = try root.contents(of: [UInt8]("a/IMG_1.NEF"), limitBytes: 1)
            Issue.record("it was found")
        } catch {
            #expect(error.description == "cannot read \"a/IMG_1.NEF\": it does not exist")
        }
    }

    @Test("An unreachable server is distinguished from a damaged sector")
    func gone() {
        #expect(StorageError(.unavailable, "read", [], number: ESTALE).isStorageGone)
        #expect(StorageError(.unavailable, "read", [], number: ENOTCONN).isStorageGone)
        #expect(StorageError(.unavailable, "open", [], number: ENFILE).isStorageGone)
        #expect(!StorageError(.unavailable, "read", [], number: EIO).isStorageGone)
    }
}

@Suite("Open folders and real paths")
struct OpenFolderTests {
    let temporary: TemporaryRoot
    let folder: OpenFolder

    init() throws {
        temporary = try TemporaryRoot()
        try temporary.root.createFolders([UInt8]("sub"))
        try temporary.write("text", to: "file")
        symlink("file", "\(temporary.path)/link")
        symlink("sub", "\(temporary.path)/sublink")
        folder = try OpenFolder(absolutePath: RealPath.resolve([UInt8](temporary.path)))
    }

    @Test("A reader returns every entry with its kind, and a second reader starts again")
    func reading() throws {
        for _ in 0..<2 {
            var found: [String: FileFacts.Kind] = [:]
            var reader = try folder.reader()
            while let entry = try reader.next() { found[String(decoding: entry.name, as: UTF8.self)] = entry.kind }
            #expect(found == ["sub": .folder, "file": .file, "link": .link, "sublink": .link])
        }
    }

    @Test("Links are treated as links unless they are to be followed, and never opened as folders")
    func links() throws {
        #expect(try folder.facts(of: [UInt8]("link")).kind == .link)
        #expect(try folder.facts(of: [UInt8]("link"), followingLinks: true).sizeBytes == 4)
        #expect(kind { _ = try folder.openFolder([UInt8]("sublink")) } != nil)
        #expect(try folder.openFolder([UInt8]("sub")).id() == temporary.root.facts(of: [UInt8]("sub")).id)
    }

    @Test("A real path has no links and no dots; a missing file and a zero byte are distinguished")
    func realPaths() throws {
        let real = try RealPath.resolve([UInt8](temporary.path))
        #expect(RealPath.of([UInt8]("\(temporary.path)/sub/../link")) == real + [UInt8]("/file"))
        #expect(kind { _ = try RealPath.resolve([UInt8]("\(temporary.path)/none")) } == .notFound)
        #expect(kind { _ = try RealPath.resolve([97, 0]) } == .badPath)
        #expect(kind { _ = try FileFacts(absolutePath: [97, 0]) } == .badPath)
        #expect(try FileFacts(absolutePath: real + [UInt8]("/link")).kind == .file)
    }

    @Test("An error has the system's own message")
    func messages() throws {
        do {
            try folder.checkReadable([UInt8]("none"))
            Issue.record("it was found")
        } catch {
            #expect(error.systemMessage == "No such file or directory")
        }
    }
}
