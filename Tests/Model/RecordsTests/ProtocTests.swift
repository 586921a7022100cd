import ExternalTools
import Foundation
import SeededRandom
import Testing

/// protobuf's own compiler reads our records by the .proto alone, and writes the same bytes.
@Suite("Records and protoc", .needs(.program("protoc-c")))
struct ProtocTests {
    private let proto = Checkout.folder.appending(path: "Proto/rawmill/v1").path

    @Test("protoc reads every kind of record, and writes the same bytes", arguments: RecordKind.all)
    func agrees(kind: RecordKind) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4 {
            let bytes = kind.valid(&random)
            let text = try protoc("--decode", kind, Data(bytes))
            #expect(try protoc("--encode", kind, text) == Data(bytes), "seed \(seed)")
        }
    }

    private func protoc(_ mode: String, _ kind: RecordKind, _ input: Data) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/protoc-c")
        process.arguments = ["\(mode)=rawmill.v1.\(kind.name)", "--proto_path=\(proto)", kind.file]
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        try process.run()
        // A record fits into the pipe.
        stdin.fileHandleForWriting.write(input)
        try stdin.fileHandleForWriting.close()
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return output
    }
}
