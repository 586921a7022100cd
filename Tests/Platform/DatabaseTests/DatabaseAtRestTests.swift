import Database
import Glibc
import Testing

@Suite("A database at rest")
struct DatabaseAtRestTests {
    @Test("is read without a file appearing beside it, whatever its path holds")
    func touchesNothing() throws {
        let folder = "/tmp/rawmill-rest-\(getpid())-a b?c#d%20e"
        #expect(mkdir(folder, 0o700) == 0)
        let path = folder + "/x.sqlite"
        do {
            let connection = try Connection(path: path)
            try connection.script("CREATE TABLE t(x); INSERT INTO t VALUES (7);")
        }
        let resting = try Connection(path: path, mode: .readAtRest)
        #expect(try resting.first("SELECT x FROM t") { $0.integer(0) } == 7)
        #expect(access(path + "-shm", F_OK) != 0 && access(path + "-wal", F_OK) != 0)
        unlink(path)
        rmdir(folder)
    }
}
