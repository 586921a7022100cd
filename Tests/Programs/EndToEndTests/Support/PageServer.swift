import Foundation
import FoundationNetworking
import Testing

/// A running server and its address.
final class PageServer {
    let program: Running
    let address: String

    convenience init(library: URL, _ options: [String] = []) throws {
        try self.init(
            try Running(["serve", "--library", library.path, "--listen", "127.0.0.1:0", "-j", "1"] + options))
    }

    /// - Parameter program: a starting `rawmill serve`.
    init(_ program: Running) throws {
        self.program = program
        try #require(
            program.wait(seconds: 60) { program.outputSoFar.contains("The page is at http") }, "\(program.errorsSoFar)")
        let line = try #require(program.outputSoFar.split(separator: "\n").first)
        address = String(try #require(line.split(separator: " ").last))
    }

    deinit { program.send(SIGKILL) }

    func stop() -> Rawmill.Ended {
        program.send(SIGTERM)
        return program.wait()
    }

    func send(
        _ method: String, _ path: String, _ body: Data? = nil, _ headers: [String: String] = [:]
    ) throws -> (status: Int, headers: [AnyHashable: Any], body: Data) {
        var request = URLRequest(url: try #require(URL(string: address + path)), timeoutInterval: 60)
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try Answer.wait(for: request)
    }

    func json(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> [String: Any] {
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        let answer = try send(method, path, data)
        let read = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        return try #require(read, "\(answer.status): \(String(decoding: answer.body, as: UTF8.self))")
    }

    func photos(_ query: String = "") throws -> [[String: Any]] {
        try #require(try json("GET", "/v1/photos?\(query)")["photos"] as? [[String: Any]])
    }

    /// Waits for a condition that other processes bring about.
    func wait(_ condition: () throws -> Bool) throws {
        let program = program
        #expect(try program.wait(seconds: 60, until: condition), "\(program.errorsSoFar)")
    }

    // MARK: Uploads

    /// Begins an upload by tus.
    ///
    /// - Returns: its path.
    func beginUpload(
        _ drop: String, _ index: Int, _ name: String, byteCount: Int, isCompanion: Bool = false
    ) throws -> String {
        let fields =
            [("filename", name), ("drop", drop), ("index", "\(index)")] + (isCompanion ? [("companion", "yes")] : [])
        let metadata = fields.map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
        let answer = try send(
            "POST", "/v1/uploads", nil,
            ["Tus-Resumable": "1.0.0", "Upload-Length": "\(byteCount)", "Upload-Metadata": metadata])
        #expect(answer.status == 201)
        return try #require(answer.headers["Location"] as? String)
    }

    /// Sends a part of a file.
    ///
    /// - Returns: the status.
    func patch(_ path: String, at offset: Int, _ bytes: Data) throws -> Int {
        try send(
            "PATCH", path, Data(bytes),
            [
                "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)",
                "Content-Type": "application/offset+octet-stream",
            ]
        ).status
    }
}

/// Waits for an answer on a thread that may wait.
private enum Answer {
    static func wait(for request: URLRequest) throws -> (status: Int, headers: [AnyHashable: Any], body: Data) {
        final class Box: @unchecked Sendable { var value: (Data?, URLResponse?, (any Error)?)? }
        let (box, done) = (Box(), DispatchSemaphore(value: 0))
        let session = URLSession(configuration: .ephemeral)
        session.dataTask(with: request) {
            box.value = ($0, $1, $2)
            done.signal()
        }.resume()
        done.wait()
        session.finishTasksAndInvalidate()
        if let error = box.value?.2 { throw error }
        let response = try #require(box.value?.1 as? HTTPURLResponse)
        return (response.statusCode, response.allHeaderFields, box.value?.0 ?? Data())
    }
}
