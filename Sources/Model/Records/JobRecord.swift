internal import Digest
public import Jobs
public import Manifests
internal import Wire

extension Lane {
    var wire: Rawmill__V1__Lane {
        switch self {
        case .interactive: RAWMILL__V1__LANE__LANE_INTERACTIVE
        case .bulk: RAWMILL__V1__LANE__LANE_BULK
        }
    }
}

extension OriginalsPolicy {
    var wire: Rawmill__V1__OriginalsPolicy {
        switch self {
        case .reference: RAWMILL__V1__ORIGINALS_POLICY__ORIGINALS_POLICY_REFERENCE
        case .copy: RAWMILL__V1__ORIGINALS_POLICY__ORIGINALS_POLICY_COPY
        case .move: RAWMILL__V1__ORIGINALS_POLICY__ORIGINALS_POLICY_MOVE
        }
    }
}

extension JobID {
    /// Refuses a record whose id is not derived from its source and recipe. If a newer version's field that this one
    /// ignores went into the id, the ids differ, and the job is not rendered as something else.
    func check(equals derived: JobID) throws(RecordError) {
        guard self == derived else {
            throw .newerWriter("the job's id is not that of its source and recipe as this version reads them")
        }
    }
}

extension Job {
    /// The protobuf message `Job`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `Job`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__job__unpack) {
            (job) throws(RecordError) in try Job(wire: job)
        }
    }

    func wire(_ arena: Arena) -> Rawmill__V1__Job {
        var job = Rawmill__V1__Job()
        rawmill__v1__job__init(&job)
        job.id = arena.bytes(id.digest.bytes)
        job.batch_id = arena.bytes(batch.bytes)
        job.round = round
        job.source = arena.pointer(to: source.wire(arena))
        job.recipe = arena.pointer(to: recipe.wire(arena))
        job.lane = lane.wire
        job.originals = originals.wire
        job.engine_needed = engineNeeded
        job.renders_anew = rendersAnew ? 1 : 0
        job.precedence = precedence
        job.held = isHeld ? 1 : 0
        return job
    }

    init(wire job: Rawmill__V1__Job) throws(RecordError) {
        self.init(
            batch: try job.batch_id.batch("batch_id"), round: job.round,
            source: try Source(wire: required(job.source, "source")),
            recipe: try Recipe(wire: required(job.recipe, "recipe")),
            lane: try known(job.lane, "lane") { (lane: Lane) in lane.wire },
            originals: try known(job.originals, "originals") { (policy: OriginalsPolicy) in policy.wire },
            engineNeeded: job.engine_needed, precedence: job.precedence,
            rendersAnew: job.renders_anew != 0, isHeld: job.held != 0)
        try JobID(digest: job.id.digest("id")).check(equals: id)
    }
}

extension RenderRequest {
    /// The protobuf message `RenderRequest`.
    public func encoded() -> [UInt8] {
        packed { arena in
            var request = Rawmill__V1__RenderRequest()
            rawmill__v1__render_request__init(&request)
            request.job = arena.pointer(to: job.wire(arena))
            request.threads = threads
            request.look_table = hasLookTable ? 1 : 0
            request.lens_table = hasLensTable ? 1 : 0
            request.camera_profiles = hasCameraProfiles ? 1 : 0
            switch cameraPicture {
            case nil: request.camera_picture = RAWMILL__V1__CAMERA_PICTURE__CAMERA_PICTURE_UNSPECIFIED
            case .small: request.camera_picture = RAWMILL__V1__CAMERA_PICTURE__CAMERA_PICTURE_SMALL
            case .large: request.camera_picture = RAWMILL__V1__CAMERA_PICTURE__CAMERA_PICTURE_LARGE
            }
            return request
        }
    }

    /// Parses and validates the protobuf message `RenderRequest`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.pipe, rawmill__v1__render_request__unpack) {
            (request) throws(RecordError) in
            RenderRequest(
                job: try Job(wire: required(request.job, "job")), threads: request.threads,
                hasLookTable: request.look_table != 0, hasLensTable: request.lens_table != 0,
                hasCameraProfiles: request.camera_profiles != 0,
                cameraPicture: try Self.cameraPicture(request.camera_picture))
        }
    }

    private static func cameraPicture(
        _ value: Rawmill__V1__CameraPicture
    ) throws(RecordError) -> CameraPictureSize? {
        switch value {
        case RAWMILL__V1__CAMERA_PICTURE__CAMERA_PICTURE_UNSPECIFIED: nil
        case RAWMILL__V1__CAMERA_PICTURE__CAMERA_PICTURE_SMALL: .small
        case RAWMILL__V1__CAMERA_PICTURE__CAMERA_PICTURE_LARGE: .large
        default: throw .newerWriter("the camera's picture has an unknown size")
        }
    }
}
