internal import Digest
internal import Jobs
public import Manifests
internal import Wire

extension RenderProcessOptions {
    /// The protobuf message `RenderProcessOptions`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `RenderProcessOptions`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.pipe, rawmill__v1__render_process_options__unpack) {
            (options) throws(RecordError) in try RenderProcessOptions(wire: options)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__RenderProcessOptions {
        var options = Rawmill__V1__RenderProcessOptions()
        rawmill__v1__render_process_options__init(&options)
        options.memory_limit_bytes = memoryLimitBytes
        options.threads = UInt32(clamping: threads)
        options.max_pixels = UInt64(clamping: maxPixels)
        options.max_file_bytes = UInt64(clamping: maxFileBytes)
        options.max_sample_bytes = UInt64(clamping: maxSampleBytes)
        options.null_renderer = isNullRenderer ? 1 : 0
        options.reuses_photos = reusesPhotos ? 1 : 0
        options.expected_look = arena.pointer(to: expectedLook?.wire(arena))
        return options
    }

    private init(wire options: Rawmill__V1__RenderProcessOptions) throws(RecordError) {
        let counts: ClosedRange<UInt64> = 1...UInt64(Int.max)
        self.init(
            memoryLimitBytes: try inRange(options.memory_limit_bytes, 1...UInt64.max, "memory_limit_bytes"),
            threads: Int(try inRange(options.threads, 1...UInt32.max, "threads")),
            maxPixels: Int(try inRange(options.max_pixels, counts, "max_pixels")),
            maxFileBytes: Int(try inRange(options.max_file_bytes, counts, "max_file_bytes")),
            maxSampleBytes: Int(try inRange(options.max_sample_bytes, counts, "max_sample_bytes")),
            isNullRenderer: options.null_renderer != 0, reusesPhotos: options.reuses_photos != 0,
            expectedLook: try options.expected_look.map { look throws(RecordError) in
                try LookReference(wire: look.pointee)
            })
    }
}

extension LookReference {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__LookReference {
        var look = Rawmill__V1__LookReference()
        rawmill__v1__look_reference__init(&look)
        look.name = arena.bytes(Array(name.utf8))
        look.version = version
        look.digest = arena.bytes(digest.bytes)
        return look
    }

    fileprivate init(wire look: Rawmill__V1__LookReference) throws(RecordError) {
        let name = try look.name.text("look.name")
        let version = try inRange(look.version, 1...1_000_000_000, "look.version")
        let digest = try look.digest.digest("look.digest")
        guard let look = LookReference(name: name, version: version, digest: digest) else {
            throw .malformed("look.name is not a valid look name: \(name)")
        }
        self = look
    }
}
