import Foundation
import Jobs
import LibraryFixtures
import Manifests
import Metadata
import PictureFormat
import Storage
import Testing

@testable import MetadataHost

@Suite("Reading metadata in the sandbox") struct MetadataReaderTests {
    private let fixture: LibraryFixture
    private let root: Root

    init() throws {
        fixture = try LibraryFixture()
        root = try fixture.root("library")
    }

    private func reader(_ program: String = "rawmill-render", deadline: Duration = .seconds(30)) -> MetadataReader {
        MetadataReader(
            program: LibraryFixture.programs.appending(path: program).path, library: fixture.libraryPath,
            deadline: deadline)
    }

    /// Writes a photo that `hostile-process` obeys, and any other program ignores.
    private func write(_ order: String, _ name: String) throws -> RelativePath {
        let path = try #require(RelativePath(name))
        let photo = try fixture.render(Shot(name, path: name + ".CR2")).photo.path
        let bytes = try root.contents(of: photo.bytes, limitBytes: 1 << 20)
        _ = try root.publish(bytes + Array("\nrawmill-test:\(order)\n".utf8), at: path.bytes)
        return path
    }

    private func requests(_ paths: [RelativePath], _ question: MetadataQuestion = .identity) -> [MetadataRequest] {
        paths.map { MetadataRequest(question, about: $0, in: root) }
    }

    @Test("The answers equal those of reading the files directly")
    func conformance() async throws {
        let manifests = try fixture.variedManifests(sources: try fixture.root("archive"))
        #expect(manifests.count > 5)
        var paths = fixture.files(below: "objects").compactMap { RelativePath($0) }
        let photo = try #require(paths.first { "\($0)".hasSuffix(".jpg") })
        let bytes = try root.contents(of: photo.bytes, limitBytes: 1 << 20)
        // Truncated in several places, without XMP, with other programs' XMP, damaged, empty, and not a JPEG.
        var files =
            [0, 1, 3, 20, 60, 200, bytes.count / 2].map { Array(bytes[..<$0]) } + [tinyJPEG, Array("text".utf8)]
        for (old, new) in [("rawmill:", "another:"), ("<rdf:RDF", "<rdf:RDX"), ("width", "wide!")] {
            let text = String(decoding: bytes, as: Unicode.ASCII.self)
            guard let at = text.range(of: old) else { continue }
            let offset = text.distance(from: text.startIndex, to: at.lowerBound)
            files.append(Array(bytes[..<offset]) + Array(new.utf8) + Array(bytes[(offset + old.utf8.count)...]))
        }
        for (number, file) in files.enumerated() {
            let path = try #require(RelativePath("odd-\(number).jpg"))
            _ = try root.publish(file, at: path.bytes)
            paths.append(path)
        }
        let toolkit = try XMPToolkit()
        // More than fit into one message.
        paths += paths + paths
        #expect(paths.count > 2 * MetadataQuestions.maxCount)
        let reader = reader()
        let identities = try await reader.read(requests(paths))
        let sizes = try await reader.read(requests(paths, .size))
        for (path, (identity, size)) in zip(paths, zip(identities, sizes)) {
            let prefix = try root.prefix(of: path.bytes, byteCount: JPEGMetadata.prefixByteCount)
            let expected: MetadataAnswer
            do { expected = .identity(try toolkit.identity(from: PhotoBytes(prefix))) } catch {
                expected = .nothing("\(error)")
            }
            #expect(identity == expected, "\(path)")
            switch (JPEGMetadata.frameHeader(in: prefix), size) {
            case (let frame?, .size(let size)): #expect(frame.width == size.width && frame.height == size.height)
            case (nil, .nothing): break
            case (let frame?, .nothing): #expect(frame.width == 0 || frame.height == 0)
            default: Issue.record("\(path): \(size)")
            }
        }
        #expect(identities.contains { if case .identity = $0 { true } else { false } })
    }

    @Test("A missing file and a path that is not a file have no metadata")
    func notThere() async throws {
        _ = try root.publish([1], at: Array("folder/file".utf8))
        let paths = ["nowhere.jpg", "folder"].compactMap { RelativePath($0) }
        for answer in try await reader().read(requests(paths)) {
            guard case .nothing(let cause) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(!cause.isEmpty)
        }
    }

    @Test(
        "A photo that takes over, crashes, hangs or fools its reader is the only unread one",
        arguments: [
            ("attack start_process", "the reader broke the rules of its sandbox"),
            ("attack connect_out", "the reader broke the rules of its sandbox"),
            ("abort", "the reader crashed (signal 6)"), ("crash", "the reader crashed (signal 11)"),
            ("exit", "the reader ended (status 3)"), ("hang", "the reader did not answer within 1.0 seconds"),
            ("sleep", "the reader did not answer within 1.0 seconds"),
            ("lie", "the reader gave an invalid answer"),
        ])
    func hostile(order: String, reason: String) async throws {
        let good = try write("nothing", "good.jpg")
        let bad = try write(order, "bad.jpg")
        let reader = reader("hostile-process", deadline: .seconds(1))
        let answers = try await reader.read(requests([good, good, bad, good, bad, good]))
        for (index, answer) in answers.enumerated() {
            if index == 2 || index == 4 {
                #expect(answer == .unread(reason))
            } else if case .identity = answer {
            } else {
                Issue.record("\(index): \(answer)")
            }
        }
        #expect(answers.count == 6)
        let first = try await reader.read(requests([bad, good]))
        #expect(first.first == .unread(reason) && first.last == answers.first)
    }

    @Test("A photo is not blamed for the effects of an earlier one on the process")
    func blame() async throws {
        let answers = try await reader("hostile-process").read(
            requests([try write("crash later", "bad.jpg"), try write("nothing", "good.jpg")]))
        #expect(answers.allSatisfy { if case .identity = $0 { true } else { false } }, "\(answers)")
    }

    @Test("A program that does not start is an error, and not blamed on a photo")
    func noProgram() async throws {
        let good = try write("nothing", "good.jpg")
        for program in ["/nowhere", "/bin/true"] {
            let reader = MetadataReader(program: program, library: fixture.libraryPath)
            await #expect(throws: MetadataReaderError.self) { try await reader.read(requests([good])) }
        }
    }
}
