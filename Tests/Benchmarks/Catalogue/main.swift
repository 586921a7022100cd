import Broker
import Catalogue
import Digest
import Foundation
import Jobs
import LibraryTables
import Manifests
import PictureFormat
import PostgreSQL
import Records
import Storage

// Measures how many manifests a cataloguer merges per second: `catalogue-benchmark FOLDER [COUNT [ADDRESS]]`. FOLDER
// must be on the disk to measure. It is new, or contains a library in FOLDER/library made by `library-rates`. The
// benchmark adds COUNT tiny files named as renditions, a broker with their manifests, and a library. With ADDRESS, a
// new library has its tables in that PostgreSQL database. Prints the rate through broker, database and links, the
// processor time per manifest without the server's, and the bytes written to files by system calls, nearly all of them
// SQLite's.

/// The manifest of photo `number`. All photos have the same bytes.
func manifest(_ number: Int, _ recipe: Recipe, _ photo: [UInt8], _ digest: SHA256Value) throws -> Manifest {
    let asset = SHA256Value(of: Array("asset \(number)".utf8))
    let key = RenditionKey(asset: asset, frame: 0, recipe: recipe.id, engine: Engine.version, format: recipe.format)
    guard let root = RootName("archive"), let batch = BatchID(bytes: [UInt8](repeating: 1, count: 16)),
        let path = RelativePath("2024/\(number / 1000)/IMG_\(number).CR2")
    else { throw CocoaError(.coderInvalidValue) }
    let stamp = FileStamp(
        file: FileReference(root: root, path: path), sizeBytes: 25_000_000, modifiedNanoseconds: 1_700_000_000)
    let source = Source(raw: stamp, photoBase: Array("IMG_\(number)".utf8))
    func file(_ path: RelativePath) -> ProducedFile {
        ProducedFile(
            path: path, digest: digest, sizeBytes: UInt64(photo.count), size: PixelSize(width: 6000, height: 4000))
    }
    let rendition = Rendition(
        asset: asset, frame: 0, recipe: recipe, engine: Engine.version, photo: file(LibraryLayout.photo(key)),
        preview: file(LibraryLayout.preview(key)), original: stamp,
        facts: PhotoFacts(make: "Canon", model: "Canon EOS 5D Mark IV", captured: "2024:05:01 10:00:00"),
        photoBase: source.photoBase)
    return Manifest(
        job: JobID(source: source.fingerprint, recipe: recipe.id), batch: batch, round: 0, source: source,
        recipe: recipe, originals: .reference, attempts: 1, worker: "benchmark",
        finishedMilliseconds: 1_700_000_000_000 + Int64(number), outcome: .completed([rendition]))
}

func prepare(_ library: String, _ count: Int, _ broker: EmbeddedBroker) async throws {
    guard let look = LookReference(name: "neutral", version: 1, digest: SHA256Value(of: [1])) else { return }
    let recipe = Recipe(look: look)
    let photo = Array("a tiny photo".utf8)
    let digest = SHA256Value(of: photo)
    try await broker.create(Topics.local)
    let producer = try await broker.producer()
    for start in stride(from: 0, to: count, by: 1000) {
        var records: [Record] = []
        for number in start..<min(start + 1000, count) {
            let manifest = try manifest(number, recipe, photo, digest)
            if case .completed(let renditions) = manifest.outcome {
                for rendition in renditions {
                    let path = "\(library)/\(rendition.photo.path)"
                    try FileManager.default.createDirectory(
                        atPath: String(path.prefix(path.count - 69)), withIntermediateDirectories: true)
                    _ = FileManager.default.createFile(atPath: path, contents: Data(photo))
                }
            }
            records.append(Record(key: manifest.source.fingerprint.bytes, value: manifest.encoded()))
        }
        _ = try await producer.send(records, to: Topics.manifests)
    }
    await producer.close()
}

/// Processor time of this process in seconds, over all threads.
func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
}

func merge(_ library: String, _ broker: any Transport) async throws -> (manifests: Int, seconds: Double) {
    let cataloguer = Cataloguer(transport: broker, library: library, roots: Roots([:]))
    try await cataloguer.open()
    let start = ContinuousClock.now
    let running = Task { try await cataloguer.run() }
    while try await !cataloguer.progress().isCaughtUp { try await Task.sleep(for: .milliseconds(2)) }
    let time = ContinuousClock.now - start
    cataloguer.stop()
    return (
        try await running.value.manifests, Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
    )
}

/// Bytes that this process has passed to write calls.
func writtenBytes() throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/io", encoding: .utf8).split(separator: "\n")
    return lines.first { $0.hasPrefix("wchar: ") }.flatMap { Int($0.dropFirst(7)) } ?? 0
}

guard CommandLine.arguments.count > 1, !CommandLine.arguments[1].hasPrefix("-") else {
    print("usage: catalogue-benchmark FOLDER [COUNT [ADDRESS]]")
    exit(64)
}
let folder = CommandLine.arguments[1]
let count = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 10_000 : 10_000
try FileManager.default.createDirectory(atPath: folder + "/library", withIntermediateDirectories: true)
if CommandLine.arguments.count > 3, try LibraryServer.address(of: folder + "/library") == nil {
    try LibraryServer.choose(ServerAddress(CommandLine.arguments[3]), for: folder + "/library")
}
let broker = try await EmbeddedBroker.open(path: folder + "/broker.sqlite")
try await prepare(folder + "/library", count, broker)
let database = folder + "/library/library.sqlite"
func size() throws -> Int {
    guard FileManager.default.fileExists(atPath: database) else { return 0 }
    return try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int ?? 0
}
let (before, sizeBefore, writtenBefore) = (processorSeconds(), try size(), try writtenBytes())
let first = try await merge(folder + "/library", broker)
let processor = processorSeconds() - before
print("merged \(first.manifests) manifests at \(Int(Double(first.manifests) / first.seconds)) a second")
print("processor time: \(Int(processor * 1e6 / Double(max(1, first.manifests)))) µs a manifest")
let written = try writtenBytes() - writtenBefore
let kept = try size() - sizeBefore
print("written: \(written / max(1, count)) bytes a manifest")
if kept > 0 {
    let ratio = Double(written * 10 / kept) / 10
    print("library.sqlite: \(kept / max(1, count)) bytes a manifest, \(ratio) written for one")
}
