import Digest
import Jobs
import Manifests
import PictureFormat
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
            companionDigest: maybe { $0.digest() },
            facts: facts(), photoBase: name(), timings: timings(), reused: maybe { $0.digest() },
            lacksProfile: Bool.random(using: &self))
    }

    /// Some of the list's facts.
    mutating func facts() -> PhotoFacts {
        var facts = PhotoFacts()
        for fact in PhotoFact.all {
            let value: FactValue? = maybe { random in
                switch fact.kind {
                case .text: .text(random.text(1...20))
                case .lines: .text((0..<random.integer(0...3)).map { "keyword \($0)" }.joined(separator: "\n"))
                case .whole(let range): .whole(random.integer(range))
                case .number(let range): .number(random.real(range))
                }
            }
            fact.set(value, in: &facts)
        }
        return facts
    }

    mutating func outcome() -> Manifest.Outcome {
        if Bool.random(using: &self) { return .failed(failure()) }
        let count = UInt32.random(in: 1...3, using: &self)
        let failures = (count..<count + UInt32.random(in: 0...2, using: &self)).map {
            FrameFailure(frame: $0, failure: failure())
        }
        return .completed(RenderedFrames((0..<count).map { rendition(frame: $0) }, failures: failures))
    }

    mutating func manifest() -> Manifest {
        Manifest(
            ending: job(), attempts: integer(0...UInt32.max), worker: text(0...30),
            finishedMilliseconds: integer(Int64.min...Int64.max), outcome: outcome())
    }

    mutating func refusal() -> Refusal { Refusal(code: text(1...20), message: text(0...60)) }

    mutating func jobResults() -> JobResults {
        let partitions = (0..<Int.random(in: 0...4, using: &self)).map { (Int32($0), integer(0...Int64.max)) }
        return JobResults(
            results: (0..<Int.random(in: 0...4, using: &self)).map { _ in jobResult() }, cluster: text(1...20),
            answered: Dictionary(uniqueKeysWithValues: partitions),
            highestPrecedence: integer(Int64.min...Int64.max),
            removed: (0..<Int.random(in: 0...3, using: &self)).map { _ in
                RemovedPhoto(asset: digest(), recipe: digest())
            },
            forgotten: (0..<Int.random(in: 0...3, using: &self)).map { _ in stamp().file })
    }

    private mutating func jobResult() -> JobResult {
        let outcome: JobResult.Outcome =
            switch Int.random(in: 0..<3, using: &self) {
            case 0: .catalogued(asset: digest(), degraded: maybe { $0.text(1...40) })
            case 1: .failed(failure())
            default: .refused(refusal())
            }
        return JobResult(
            job: JobID(digest: digest()), batch: batch(), file: stamp().file, round: integer(0...UInt32.max),
            attempts: integer(0...UInt32.max), worker: text(0...30),
            finishedMilliseconds: integer(Int64.min...Int64.max), traceparent: maybe { $0.text(1...55) },
            outcome: outcome, reused: integer(0...UInt32.max), frameFailure: maybe { $0.failure().reason },
            cameraWithoutProfile: maybe { $0.text(1...40) })
    }

    mutating func deadLetter() -> DeadLetter {
        DeadLetter(
            topic: text(0...30), partition: integer(0...Int32.max), offset: integer(0...Int64.max), key: bytes(0...90),
            value: maybe { $0.bytes(0...900) }, failure: failure(), attempts: integer(0...UInt32.max),
            worker: text(0...30), engine: integer(0...UInt32.max),
            parkedMilliseconds: integer(Int64.min...Int64.max))
    }

    mutating func renderMessage() -> RenderMessage {
        switch Int.random(in: 0..<3, using: &self) {
        case 0:
            .reply(
                RenderReply(
                    job: JobID(digest: digest()), outcome: outcome(), timings: timings(),
                    peakResidentBytes: integer(0...UInt64.max), outputs: frameOutputs()))
        case 1: .frame(FrameQuestion(frame: integer(0...UInt32.max), finished: frameOutputs()))
        default: .original(stamp())
        }
    }

    private mutating func frameOutputs() -> [FrameOutput] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in
            FrameOutput(
                frame: integer(0...UInt32.max), photo: maybe { $0.writtenFile() }, preview: maybe { $0.writtenFile() },
                replacesPhoto: Bool.random(using: &self))
        }
    }

    private mutating func writtenFile() -> WrittenFile {
        WrittenFile(digest: digest(), sizeBytes: integer(0...UInt64.max))
    }

    mutating func renderAnswer() -> RenderAnswer {
        switch Int.random(in: 0..<3, using: &self) {
        case 0:
            .frame(
                asset: digest(), hasKnownPhoto: Bool.random(using: &self), hasKnownPreview: Bool.random(using: &self))
        case 1: .original(isThere: Bool.random(using: &self))
        default: .failed(failure())
        }
    }

    mutating func renderOptions() -> RenderProcessOptions {
        RenderProcessOptions(
            memoryLimitBytes: integer(1...UInt64.max),
            threads: integer(1...Int(UInt32.max)), maxPixels: integer(1...Int.max), maxFileBytes: integer(1...Int.max),
            maxSampleBytes: integer(1...Int.max), isNullRenderer: Bool.random(using: &self),
            reusesPhotos: Bool.random(using: &self),
            expectedLook: maybe {
                LookReference(
                    name: "look-\($0.integer(0...9))", version: $0.integer(1...1_000_000_000), digest: $0.digest())!
            })
    }

    mutating func control() -> Control {
        switch Int.random(in: 0..<7, using: &self) {
        case 0: .pause(maybe { $0.batch() })
        case 1: .resume(maybe { $0.batch() })
        case 2: .cancel(batch())
        case 3: .submit(order())
        case 4:
            .retry(
                RetryFilter(
                    reason: maybe { FailureReason.allCases.randomElement(using: &$0)! }, batch: maybe { $0.batch() },
                    jobs: (0..<Int.random(in: 0...4, using: &self)).map { _ in
                        let file = FileReference(root: RootName("root-\(integer(0...9))")!, path: path())
                        return JobAddress(file: file, job: JobID(digest: digest()))
                    }))
        case 5: .sources(SourcePart(batch: batch(), number: integer(0...UInt32.max), sources: locations()))
        default: .drain(worker: text(1...30))
        }
    }

    private mutating func order() -> ConversionOrder {
        ConversionOrder(
            batch: batch(), sources: locations(), sourceParts: integer(0...UInt32.max),
            excluded: (0..<Int.random(in: 0...3, using: &self)).map { _ in bytes(0...20) },
            minRating: maybe { $0.integer(-1...5) }, recipe: recipe(), hasOwnLook: Bool.random(using: &self),
            lane: Lane.allCases.randomElement(using: &self)!,
            originals: OriginalsPolicy.allCases.randomElement(using: &self)!,
            submittedMilliseconds: integer(Int64.min...Int64.max),
            further: (0..<Int.random(in: 0...2, using: &self)).map { _ in
                .init(batch: batch(), recipe: recipe(), hasOwnLook: Bool.random(using: &self))
            }, isHeld: Bool.random(using: &self))
    }

    private mutating func locations() -> [ConversionOrder.Location] {
        (0..<Int.random(in: 1...4, using: &self)).map { _ in
            ConversionOrder.Location(root: RootName("root-\(integer(0...9))")!, path: maybe { $0.path() })
        }
    }

    private mutating func fileGroup() -> FileGroup {
        FileGroup(
            kind: FileGroup.Kind.allCases.randomElement(using: &self)!, total: integer(0...Int.max),
            files: (0..<Int.random(in: 0...3, using: &self)).map { _ in
                NamedFile(source: bytes(0...40), message: text(0...40))
            })
    }

    private mutating func counts() -> JobCounts {
        JobCounts(
            accepted: integer(0...Int.max), open: integer(0...Int.max), catalogued: integer(0...Int.max),
            degraded: integer(0...Int.max), failed: integer(0...Int.max), cancelled: integer(0...Int.max))
    }

    mutating func batchStatus() -> BatchStatus {
        BatchStatus(
            batch: batch(), submittedMilliseconds: integer(Int64.min...Int64.max), look: text(0...20),
            lane: Lane.allCases.randomElement(using: &self)!,
            phase: BatchStatus.Phase.allCases.randomElement(using: &self)!, counts: counts(),
            epoch: integer(0...UInt32.max), unchanged: integer(0...UInt64.max), failedBefore: integer(0...UInt64.max),
            unreadable: integer(0...UInt64.max), problem: maybe { $0.text(1...40) },
            refused: integer(0...UInt64.max), unseen: integer(0...UInt64.max), refusal: maybe { $0.refusal() },
            links: integer(0...UInt64.max), missing: integer(0...UInt64.max), notRaw: integer(0...UInt64.max),
            reused: integer(0...UInt64.max),
            files: (0..<Int.random(in: 0...3, using: &self)).map { _ in fileGroup() })
    }

    mutating func coordinatorStatus() -> CoordinatorStatus {
        CoordinatorStatus(
            atMilliseconds: integer(Int64.min...Int64.max), counts: counts(),
            failures: (0..<Int.random(in: 0..<5, using: &self)).map { _ in
                .init(reason: FailureReason.allCases.randomElement(using: &self)!, jobs: integer(0...UInt64.max))
            }, isPaused: Bool.random(using: &self), resumes: integer(0...UInt64.max), engine: integer(0...UInt32.max),
            controlOffset: integer(Int64.min...Int64.max), refused: integer(0...UInt64.max),
            unseen: integer(0...UInt64.max))
    }

    mutating func status() -> WorkerStatus {
        WorkerStatus(
            worker: text(0...30), atMilliseconds: integer(Int64.min...Int64.max), slots: integer(0...UInt32.max),
            currentJobs: (0..<Int.random(in: 0..<5, using: &self)).map { _ in JobID(digest: digest()) },
            completed: integer(0...UInt64.max), failed: integer(0...UInt64.max), engine: integer(0...UInt32.max),
            state: text(0...20), directivesOffset: integer(Int64.min...Int64.max), node: text(0...30),
            memoryBytes: integer(0...UInt64.max), currentFiles: (0..<3).map { _ in text(0...40) })
    }
}
