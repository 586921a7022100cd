import Database
import ExternalTools
import Testing

@Suite("A database whose disk is full", .needs(.mounting))
struct FullDiskTests {
    private let disk: SmallDisk
    private var path: String { "\(disk.path)/test.sqlite" }

    init() throws {
        disk = try SmallDisk(bytes: 262_144)
        try Connection(path: path).script("CREATE TABLE t (x); INSERT INTO t VALUES ('kept');")
    }

    @Test("Opening it reports a full disk, not damage", arguments: [false, true])
    func opening(isReading: Bool) throws {
        let mode: ConnectionMode = isReading ? .readOnly : .readWrite
        try disk.fill()
        do {
            _ = try Connection(path: path, mode: mode).all("SELECT x FROM t") { $0.text(0) }
            Issue.record("there was room for the log's index")
        } catch let error as DatabaseError {
            #expect(error.kind == .diskFull)
            #expect(error.message == "its disk is full" && error.statement == nil)
            #expect(error.description.hasSuffix(". Free some space and run the same command again."))
        }
        disk.free()
        #expect(try Connection(path: path, mode: mode).all("SELECT x FROM t") { $0.text(0) } == ["kept"])
    }
}
