internal import Digest
public import Jobs
internal import Wire

extension Control {
    /// The protobuf message `Control`.
    public func encoded() -> [UInt8] {
        packed { arena in
            var control = Rawmill__V1__Control()
            rawmill__v1__control__init(&control)
            write(to: &control, arena)
            return control
        }
    }

    private func write(to control: inout Rawmill__V1__Control, _ arena: Arena) {
        switch self {
        case .pause(let batch):
            control.action = RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_PAUSE
            control.batch_id = arena.bytes(batch?.bytes ?? [])
        case .resume(let batch):
            control.action = RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_RESUME
            control.batch_id = arena.bytes(batch?.bytes ?? [])
        case .cancel(let batch):
            control.action = RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_CANCEL
            control.batch_id = arena.bytes(batch.bytes)
        case .sources(let part):
            control.action = RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_SOURCES
            control.batch_id = arena.bytes(part.batch.bytes)
            control.sources = arena.pointer(to: part.wire(arena))
        case .submit(let order):
            control.action = order.action
            control.batch_id = arena.bytes(order.batch.bytes)
            control.submission = arena.pointer(to: order.wire(arena))
        case .retry(let choice):
            control.action = RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_RETRY
            control.batch_id = arena.bytes(choice.batch?.bytes ?? [])
            if let reason = choice.reason { control.reason = reason.wire }
            control.jobs = arena.list(choice.jobs.map { $0.wire(arena) })
            control.n_jobs = choice.jobs.count
        case .drain(let worker):
            control.action = RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_DRAIN
            control.worker = arena.text(worker, limit: RecordLimit.name)
        }
    }

    /// Parses and validates the protobuf message `Control`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__control__unpack) {
            (message) throws(RecordError) in try Control(wire: message)
        }
    }

    private init(wire message: Rawmill__V1__Control) throws(RecordError) {
        let batch = message.batch_id.len == 0 ? nil : try message.batch_id.batch("batch_id")
        switch message.action {
        case RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_PAUSE: self = .pause(batch)
        case RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_RESUME: self = .resume(batch)
        case RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_CANCEL:
            guard let batch else { throw .malformed("a cancellation without a batch") }
            self = .cancel(batch)
        case RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_SOURCES:
            guard let batch else { throw .malformed("sources without a batch") }
            self = .sources(try SourcePart(wire: required(message.sources, "sources"), batch))
        case RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_SUBMIT,
            RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_SUBMIT_CHOICE,
            RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_SUBMIT_HELD:
            guard let batch else { throw .malformed("a submission without a batch") }
            self = .submit(try ConversionOrder(wire: required(message.submission, "submission"), batch))
        case RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_RETRY:
            let reason: FailureReason? =
                message.reason.rawValue == 0 ? nil : try known(message.reason, "reason") { $0.wire }
            var jobs: [JobAddress] = []
            for job in list(message.n_jobs, message.jobs) { jobs.append(try JobAddress(wire: job)) }
            self = .retry(RetryFilter(reason: reason, batch: batch, jobs: jobs))
        case RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_DRAIN:
            guard let worker = try message.worker.optionalText("worker") else {
                throw .malformed("a drain without a worker")
            }
            // It is passed on as a key.
            guard worker.utf8.count <= RecordLimit.name else {
                throw .malformed("a drain with a worker's name that is too long")
            }
            self = .drain(worker: worker)
        case RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_UNSPECIFIED: throw .malformed("action is missing")
        default: throw .newerWriter("action \(message.action.rawValue)")
        }
    }
}

extension JobAddress {
    func wire(_ arena: Arena) -> Rawmill__V1__JobAddress {
        var address = Rawmill__V1__JobAddress()
        rawmill__v1__job_address__init(&address)
        address.file = arena.pointer(to: file.wire(arena))
        address.job_id = arena.bytes(job.digest.bytes)
        return address
    }

    init(wire address: Rawmill__V1__JobAddress) throws(RecordError) {
        self.init(
            file: try FileReference(wire: required(address.file, "jobs.file"), "jobs.file"),
            job: JobID(digest: try address.job_id.digest("jobs.job_id")))
    }
}

extension ConversionOrder {
    /// An old version must refuse an order that it would misread, instead of converting other files or showing held
    /// photos.
    fileprivate var action: Rawmill__V1__ControlAction {
        if isHeld { return RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_SUBMIT_HELD }
        let isPlain = sourceParts == 0 && excluded.isEmpty && minRating == nil && further.isEmpty
        return isPlain
            ? RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_SUBMIT
            : RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_SUBMIT_CHOICE
    }

    func wire(_ arena: Arena) -> Rawmill__V1__Submission {
        var submission = Rawmill__V1__Submission()
        rawmill__v1__submission__init(&submission)
        let locations = sources.map { $0.wire(arena) }
        submission.sources = arena.list(locations)
        submission.n_sources = locations.count
        submission.recipe = arena.pointer(to: recipe.wire(arena))
        submission.lane = lane.wire
        submission.originals = originals.wire
        submission.submitted_milliseconds = submittedMilliseconds
        submission.own_look = hasOwnLook ? 1 : 0
        submission.source_parts = sourceParts
        submission.excluded = arena.array(excluded.map { arena.bytes($0) })
        submission.n_excluded = excluded.count
        submission.further = arena.list(further.map { $0.wire(arena) })
        submission.n_further = further.count
        submission.held = isHeld ? 1 : 0
        submission.min_rating = minRating.map { UInt32(clamping: $0 + 2) } ?? 0
        return submission
    }

    init(wire submission: Rawmill__V1__Submission, _ batch: BatchID) throws(RecordError) {
        var locations: [Location] = []
        for location in list(submission.n_sources, submission.sources) {
            locations.append(try Location(wire: location))
        }
        guard !locations.isEmpty || submission.source_parts > 0 else {
            throw .malformed("a submission without sources")
        }
        let rating = Int(try inRange(submission.min_rating, 0...7, "min_rating"))
        self.init(
            batch: batch, sources: locations, sourceParts: submission.source_parts,
            excluded: values(submission.n_excluded, submission.excluded).map(\.array),
            minRating: rating == 0 ? nil : rating - 2, recipe: try Recipe(wire: required(submission.recipe, "recipe")),
            hasOwnLook: submission.own_look != 0,
            lane: try known(submission.lane, "lane") { (lane: Lane) in lane.wire },
            originals: try known(submission.originals, "originals") { (policy: OriginalsPolicy) in policy.wire },
            submittedMilliseconds: submission.submitted_milliseconds, further: try Self.further(submission),
            isHeld: submission.held != 0)
    }

    private static func further(_ submission: Rawmill__V1__Submission) throws(RecordError) -> [Edition] {
        var editions: [Edition] = []
        for edition in list(submission.n_further, submission.further) {
            editions.append(
                Edition(
                    batch: try edition.batch_id.batch("further.batch_id"),
                    recipe: try Recipe(wire: required(edition.recipe, "further.recipe")),
                    hasOwnLook: edition.own_look != 0))
        }
        return editions
    }
}

extension ConversionOrder.Edition {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__FurtherRecipe {
        var edition = Rawmill__V1__FurtherRecipe()
        rawmill__v1__further_recipe__init(&edition)
        edition.batch_id = arena.bytes(batch.bytes)
        edition.recipe = arena.pointer(to: recipe.wire(arena))
        edition.own_look = hasOwnLook ? 1 : 0
        return edition
    }
}

extension SourcePart {
    func wire(_ arena: Arena) -> Rawmill__V1__SourcePart {
        var part = Rawmill__V1__SourcePart()
        rawmill__v1__source_part__init(&part)
        part.number = number
        part.sources = arena.list(sources.map { $0.wire(arena) })
        part.n_sources = sources.count
        return part
    }

    init(wire part: Rawmill__V1__SourcePart, _ batch: BatchID) throws(RecordError) {
        var sources: [ConversionOrder.Location] = []
        for source in list(part.n_sources, part.sources) { sources.append(try .init(wire: source)) }
        guard !sources.isEmpty else { throw .malformed("a source part without sources") }
        self.init(batch: batch, number: part.number, sources: sources)
    }
}

extension ConversionOrder.Location {
    func wire(_ arena: Arena) -> Rawmill__V1__FileReference {
        var reference = Rawmill__V1__FileReference()
        rawmill__v1__file_reference__init(&reference)
        reference.root = arena.bytes(Array(root.text.utf8))
        reference.path = arena.bytes(path?.bytes ?? [])
        return reference
    }

    init(wire reference: Rawmill__V1__FileReference) throws(RecordError) {
        let name = try reference.root.text("sources.root")
        guard let root = RootName(name) else { throw .malformed("sources.root is not a valid root name: \(name)") }
        self.init(root: root, path: reference.path.len == 0 ? nil : try reference.path.path("sources.path"))
    }
}
