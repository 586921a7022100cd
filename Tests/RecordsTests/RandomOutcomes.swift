import Digest
import Jobs
import Manifests
import Pixels
import SeededRandom

extension SeededGenerator {
    mutating func failure() -> Failure {
        Failure(
            FailureReason.allCases.randomElement(using: &self)!, text(0...60), signal: maybe { $0.integer(1...127) })
    }

    mutating func file() -> ProducedFile {
        ProducedFile(
            path: path(), digest: digest(), sizeBytes: integer(0...UInt64.max),
            size: maybe { PixelSize(width: $0.integer(1...1_000_000), height: $0.integer(1...1_000_000)) })
    }

    mutating func timings() -> [StageTiming] {
        (0..<Int.random(in: 0..<5, using: &self)).map { _ in
            StageTiming(stage: text(0...9), microseconds: integer(0...UInt64.max))
        }
    }

    mutating func rendition(frame: UInt32) -> Rendition {
        Rendition(
            asset: digest(), frame: frame, recipe: recipe(), engine: integer(0...UInt32.max), photo: file(),
            preview: file(), original: stamp(), originalCopy: maybe { $0.file() }, companion: maybe { $0.stamp() },
            companionDigest: maybe { $0.digest() }, degraded: maybe { $0.text(1...40) },
            captured: maybe { $0.text(1...20) }, make: text(0...20), model: text(0...20), photoBase: name(),
            timings: timings())
    }

    mutating func outcome() -> Manifest.Outcome {
        if Bool.random(using: &self) { return .failed(failure()) }
        return .completed((0..<UInt32.random(in: 1...3, using: &self)).map { rendition(frame: $0) })
    }

    mutating func manifest() -> Manifest {
        Manifest(
            ending: job(), attempts: integer(0...UInt32.max), worker: text(0...30),
            finishedMilliseconds: integer(Int64.min...Int64.max), outcome: outcome())
    }

    mutating func deadLetter() -> DeadLetter {
        DeadLetter(
            topic: text(0...30), partition: integer(0...Int32.max), offset: integer(0...Int64.max), key: bytes(0...90),
            value: maybe { $0.bytes(0...900) }, failure: failure(), attempts: integer(0...UInt32.max),
            worker: text(0...30), engine: integer(0...UInt32.max),
            parkedMilliseconds: integer(Int64.min...Int64.max))
    }

    mutating func reply() -> RenderReply {
        RenderReply(
            job: JobID(digest: digest()), outcome: outcome(), timings: timings(),
            peakResidentBytes: integer(0...UInt64.max))
    }

    mutating func control() -> Control {
        let batch = maybe { $0.batch() }
        return Control(batch == nil ? .pause : Control.Action.allCases.randomElement(using: &self)!, batch: batch)!
    }

    mutating func status() -> WorkerStatus {
        WorkerStatus(
            worker: text(0...30), atMilliseconds: integer(Int64.min...Int64.max), slots: integer(0...UInt32.max),
            currentJobs: (0..<Int.random(in: 0..<5, using: &self)).map { _ in JobID(digest: digest()) },
            completed: integer(0...UInt64.max), failed: integer(0...UInt64.max), engine: integer(0...UInt32.max),
            state: text(0...20))
    }
}
