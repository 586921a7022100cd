internal import Digest
internal import Jobs
internal import Manifests
internal import PictureFormat
internal import Wire

extension ProducedFile {
    func wire(_ arena: Arena) -> Rawmill__V1__ProducedFile {
        var file = Rawmill__V1__ProducedFile()
        rawmill__v1__produced_file__init(&file)
        file.path = arena.bytes(path.bytes)
        file.sha256 = arena.bytes(digest.bytes)
        file.size_bytes = sizeBytes
        file.width = UInt32(clamping: size?.width ?? 0)
        file.height = UInt32(clamping: size?.height ?? 0)
        return file
    }

    init(wire file: Rawmill__V1__ProducedFile, _ field: String) throws(RecordError) {
        var size: PixelSize?
        if file.width != 0 || file.height != 0 {
            size = PixelSize(
                width: Int(try inRange(file.width, 1...1_000_000, "\(field).width")),
                height: Int(try inRange(file.height, 1...1_000_000, "\(field).height")))
        }
        self.init(
            path: try file.path.path("\(field).path"), digest: try file.sha256.digest("\(field).sha256"),
            sizeBytes: file.size_bytes, size: size)
    }
}

extension StageTiming {
    func wire(_ arena: Arena) -> Rawmill__V1__Timing {
        var timing = Rawmill__V1__Timing()
        rawmill__v1__timing__init(&timing)
        timing.stage = arena.text(stage, limit: RecordLimit.name)
        timing.microseconds = microseconds
        return timing
    }

    static func list(
        _ count: Int, _ timings: UnsafeMutablePointer<UnsafeMutablePointer<Rawmill__V1__Timing>?>?
    ) throws(RecordError) -> [StageTiming] {
        var values: [StageTiming] = []
        for timing in Records.list(count, timings) {
            values.append(StageTiming(stage: try timing.stage.text("stage"), microseconds: timing.microseconds))
        }
        return values
    }
}

extension Rendition {
    /// - Parameter earlier: the previous frame. Keywords, which are the same for all frames, are written once.
    func wire(_ arena: Arena, after earlier: Rendition? = nil) -> Rawmill__V1__Rendition {
        var rendition = Rawmill__V1__Rendition()
        rawmill__v1__rendition__init(&rendition)
        rendition.asset = arena.bytes(asset.bytes)
        rendition.frame = frame
        rendition.key = arena.bytes(key.digest.bytes)
        rendition.recipe = arena.pointer(to: recipe.wire(arena))
        rendition.engine = engine
        rendition.photo = arena.pointer(to: photo.wire(arena))
        rendition.preview = arena.pointer(to: preview.wire(arena))
        rendition.original = arena.pointer(to: original.wire(arena))
        rendition.original_copy = arena.pointer(to: originalCopy?.wire(arena))
        rendition.companion = arena.pointer(to: companion?.wire(arena))
        rendition.companion_sha256 = arena.bytes(companionDigest?.bytes ?? [])
        rendition.photo_base = arena.bytes(photoBase)
        rendition.timings = arena.list(timings.map { $0.wire(arena) })
        rendition.n_timings = timings.count
        rendition.lacks_profile = lacksProfile ? 1 : 0
        rendition.reused = arena.bytes(reused?.bytes ?? [])
        facts.write(to: &rendition, arena, after: earlier?.facts)
        return rendition
    }

    init(wire rendition: Rawmill__V1__Rendition, after earlier: Rendition? = nil) throws(RecordError) {
        self.init(
            asset: try rendition.asset.digest("asset"), frame: rendition.frame,
            recipe: try Recipe(wire: required(rendition.recipe, "recipe")), engine: rendition.engine,
            photo: try ProducedFile(wire: required(rendition.photo, "photo"), "photo"),
            preview: try ProducedFile(wire: required(rendition.preview, "preview"), "preview"),
            original: try FileStamp(wire: required(rendition.original, "original"), "original"),
            originalCopy: try Self.copy(rendition.original_copy),
            companion: try FileStamp.optional(rendition.companion, "companion"),
            companionDigest: rendition.companion_sha256.len == 0
                ? nil : try rendition.companion_sha256.digest("companion_sha256"),
            facts: try PhotoFacts(wire: rendition, after: earlier?.facts),
            photoBase: try rendition.photo_base.fileName("photo_base"),
            timings: try StageTiming.list(rendition.n_timings, rendition.timings),
            reused: rendition.reused.len == 0 ? nil : try rendition.reused.digest("reused"),
            lacksProfile: rendition.lacks_profile != 0)
        // As with a job's id: a recipe with a field that this version ignores must not pass for another recipe.
        guard try rendition.key.digest("key") == key.digest else {
            throw .newerWriter("the rendition's key is not that of its asset and recipe as this version reads them")
        }
    }

    private static func copy(
        _ file: UnsafeMutablePointer<Rawmill__V1__ProducedFile>?
    ) throws(RecordError) -> ProducedFile? {
        guard let file else { return nil }
        return try ProducedFile(wire: file.pointee, "original_copy")
    }
}

extension RenderedFrames {
    func wire(_ arena: Arena) -> Rawmill__V1__Renditions {
        var message = Rawmill__V1__Renditions()
        rawmill__v1__renditions__init(&message)
        message.frames = arena.list(
            renditions.indices.map { renditions[$0].wire(arena, after: $0 > 0 ? renditions[$0 - 1] : nil) })
        message.n_frames = renditions.count
        message.failures = arena.list(failures.map { $0.wire(arena) })
        message.n_failures = failures.count
        return message
    }

    init(wire message: Rawmill__V1__Renditions) throws(RecordError) {
        var renditions: [Rendition] = []
        for rendition in Records.list(message.n_frames, message.frames) {
            renditions.append(try Rendition(wire: rendition, after: renditions.last))
        }
        var failures: [FrameFailure] = []
        for failure in Records.list(message.n_failures, message.failures) {
            failures.append(try FrameFailure(wire: failure))
        }
        guard !renditions.isEmpty else { throw .malformed("completed without a rendition") }
        let frames = renditions.map(\.frame) + failures.map(\.frame)
        guard Set(frames).count == frames.count else { throw .malformed("a duplicate frame") }
        self.init(renditions, failures: failures)
    }
}

extension FrameFailure {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__FrameFailure {
        var message = Rawmill__V1__FrameFailure()
        rawmill__v1__frame_failure__init(&message)
        message.frame = frame
        message.failure = arena.pointer(to: failure.wire(arena))
        return message
    }

    fileprivate init(wire message: Rawmill__V1__FrameFailure) throws(RecordError) {
        self.init(frame: message.frame, failure: try Failure(wire: required(message.failure, "failure")))
    }
}
