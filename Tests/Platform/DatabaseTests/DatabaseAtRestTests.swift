import Database
import Foundation
import Testing

@Suite("A database at rest")
struct DatabaseAtRestTests {
    @Test("It is read without creating a file beside it, with any characters in its path")
    func touchesNothing() throws {
        let folder = "\(NSTemporaryDirectory())/rawmill-rest-\(UUID())-a b?c#d%20e"
        #expect(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/x.sqlite"
        do {
            let connection = try Connection(path: path)
            try connection.script("CREATE TABLE t(x); INSERT INTO t VALUES (7);")
        }
        let resting = try Connection(path: path, mode: .readAtRest)
        #expect(try resting.first("SELECT x FROM t") { $0.integer(0) } == 7)
        #expect(access(path + "-shm", F_OK) != 0 && access(path + "-wal", F_OK) != 0)
    }
}
