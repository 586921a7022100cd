import Clock
import Foundation
import Storage
import Synchronization
import Testing
import Web

@testable import WebService

/// Uploads by tus, from a client's view.
@ConnectionThread struct UploadTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "uploads-\(UUID().uuidString)")
    private let completed = Completed()

    private final class Completed: Sendable {
        let files = Mutex<[[UInt8]]>([])
    }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func router(_ limits: UploadStore.Limits = .init(), day: UInt64 = 0) throws -> Router {
        let root = try Root(path: folder.path)
        let clock = WallClock { (20_000 + day) * 86_400_000_000_000 }
        let store = try UploadStore("up", in: root, limits: limits, clock: clock)
        let completed = completed
        let routes = UploadRoutes(store, at: "/v1/uploads", onCreate: { _ in }) { upload in
            let bytes = try root.contents(of: store.file(of: upload), limitBytes: 1 << 20)
            completed.files.withLock { $0.append(bytes) }
            try store.finish(upload)
        } onRemove: { _ in
        }
        return Router(
            routes.routes, access: AccessControl(hosts: ["localhost"], tokens: nil), page: { _ in .text("") },
            onError: { _, error in ServiceError(500, "internal", "\(error)") }, onChange: { _, _, _ in }, onStop: {})
    }

    private func send(
        _ router: Router, _ method: String, _ path: String, _ headers: [String: String] = [:], _ parts: [[UInt8]] = [],
        leaves: Bool = false
    ) -> Response {
        let all = headers.merging(["Host": "localhost", "Tus-Resumable": "1.0.0"]) { a, _ in a }
        let request = Request(method: method, path: path, headers: all.map { .init($0.key, $0.value) })
        switch router.handle(request) {
        case .respond(let response): return response
        case .receive(let receiver):
            for part in parts {
                if let refusal = part.withUnsafeBytes({ receiver.receive($0) }) { return refusal }
            }
            if leaves {
                receiver.abandon()
                return .text("gone", status: 200)
            }
            return receiver.response()
        }
    }

    private func header(_ name: String, _ response: Response) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    private func begin(_ router: Router, bytes: Int) throws -> String {
        let response = send(
            router, "POST", "/v1/uploads",
            ["Upload-Length": "\(bytes)", "Upload-Metadata": "filename SU1HXzEuQ1Iy,index MA=="])
        #expect(response.status == 201)
        return try #require(header("Location", response))
    }

    private static let part = ["Content-Type": "application/offset+octet-stream"]

    @Test("A file interrupted at any place, by client or server, arrives complete and once")
    func resumed() throws {
        let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var router = try router()
        let path = try begin(router, bytes: content.count)
        var offset = 0
        for step in [1, 700, 999, 1300, 2000] {
            let part = Array(content[offset..<(offset + step)])
            let headers = Self.part.merging(["Upload-Offset": "\(offset)"]) { a, _ in a }
            // The client leaves, or the process ends, before it learns how much arrived.
            _ = send(router, "PATCH", path, headers, [part], leaves: step % 2 == 1)
            router = try self.router()
            let head = send(router, "HEAD", path)
            #expect(header("Upload-Length", head) == "5000")
            offset = try #require(header("Upload-Offset", head).flatMap { Int($0) })
        }
        let files = completed.files.withLock { $0 }
        #expect(files.count == 1 && files.first == content)
    }

    @Test(
        "A client that missed the last answer learns for a week that all has arrived, across restarts, without side effects"
    )
    func finished() throws {
        var router = try router()
        let path = try begin(router, bytes: 3)
        func patch(_ offset: Int, _ bytes: [UInt8]) -> Response {
            send(
                router, "PATCH", path, Self.part.merging(["Upload-Offset": "\(offset)"]) { a, _ in a },
                bytes.isEmpty ? [] : [bytes])
        }
        #expect(patch(0, [1, 2]).status == 204)
        #expect(completed.files.withLock { $0 }.isEmpty)
        #expect(patch(2, [3]).status == 204)
        #expect(completed.files.withLock { $0 } == [[1, 2, 3]], "taken before the client learns that it is complete")
        for day in [0, 3, 6] as [UInt64] {
            router = try self.router(day: day)
            let head = send(router, "HEAD", path)
            #expect(head.status == 200 && header("Upload-Offset", head) == "3" && header("Upload-Length", head) == "3")
            #expect(header("Tus-Resumable", head) == "1.0.0")
            let again = patch(3, [])
            #expect(again.status == 204 && header("Upload-Offset", again) == "3")
            #expect(patch(0, [1, 2, 3]).status == 409)
            #expect(patch(3, [4]).status == 413)
        }
        #expect(completed.files.withLock { $0 } == [[1, 2, 3]])
        router = try self.router(day: 7)
        #expect(send(router, "HEAD", path).status == 404)
        router = try self.router(day: 1)
        #expect(send(router, "DELETE", path).status == 204)
        #expect(send(try self.router(day: 1), "HEAD", path).status == 404)
    }

    @Test("The record of finished uploads stays small, and a process that ended in between leaves no files")
    func rememberedFew() throws {
        let root = try Root(path: folder.path)
        for day in 0..<30 as Range<UInt64> {
            let finished = FinishedUploads(
                Array("finished.jsonl".utf8), in: root, clock: WallClock { day * 86_400_000_000_000 })
            for number in 0..<40 {
                try finished.add(Upload(id: "\(day)-\(number)", lengthBytes: 5, metadata: [:], offset: 5))
            }
            #expect(finished["\(day)-7"]?.offset == 5)
        }
        let lines = try String(contentsOf: folder.appending(path: "finished.jsonl"), encoding: .utf8).split(
            separator: "\n")
        #expect((280...1000).contains(lines.count), "\(lines.count)")
        // Finished, and killed before its files were removed.
        let store = try UploadStore("up", in: root)
        let upload = try store.create(lengthBytes: 0, metadata: [:])
        try store.finish(upload)
        try Data("{\"length\":0,\"metadata\":{}}".utf8).write(to: folder.appending(path: "up/\(upload.id).json"))
        #expect(try UploadStore("up", in: root).all.isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "up").path) == ["finished.jsonl"]
        )
    }

    @Test("Wrong offsets, too many bytes, unknown files and versions are refused, and received bytes stay")
    func refused() throws {
        let router = try router()
        let path = try begin(router, bytes: 10)
        func patch(_ offset: String, _ bytes: Int) -> Int {
            send(
                router, "PATCH", path, Self.part.merging(["Upload-Offset": offset]) { a, _ in a },
                [[UInt8](repeating: 7, count: bytes)]
            ).status
        }
        #expect(patch("0", 4) == 204)
        #expect(patch("0", 4) == 409)
        #expect(patch("x", 4) == 400)
        #expect(patch("4", 7) == 413)
        #expect(header("Upload-Offset", send(router, "HEAD", path)) == "4")
        #expect(send(router, "PATCH", path, ["Upload-Offset": "4"]).status == 415)
        #expect(send(router, "HEAD", path, ["Tus-Resumable": "0.2.2"]).status == 412)
        #expect(send(router, "HEAD", "/v1/uploads/00112233445566778899aabbccddeeff").status == 404)
        #expect(send(router, "HEAD", "/v1/uploads/..%2f").status == 404)
        #expect(send(router, "DELETE", path).status == 204)
        #expect(send(router, "HEAD", path).status == 404)
    }

    @Test("A file beyond the limit, or beyond the free space, is refused before a byte is sent")
    func limits() throws {
        var limits = UploadStore.Limits()
        limits.maxBytes = 1000
        #expect(send(try router(limits), "POST", "/v1/uploads", ["Upload-Length": "1001"]).status == 413)
        limits.reserveBytes = 1 << 62
        #expect(send(try router(limits), "POST", "/v1/uploads", ["Upload-Length": "10"]).status == 507)
        #expect(send(try router(), "POST", "/v1/uploads", ["Upload-Length": "-1"]).status == 400)
        #expect(
            send(try router(), "POST", "/v1/uploads", ["Upload-Length": "1", "Upload-Metadata": "a %%%"]).status == 400)
    }
}
