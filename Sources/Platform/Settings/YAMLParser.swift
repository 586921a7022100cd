internal import CYAML

struct YAMLEvent {
    enum Kind: Hashable {
        case scalar([UInt8])
        case list, map
        /// End of the innermost open list or map.
        case close
        case alias
        case end
        /// Start or end of a stream or document, to be ignored.
        case other
    }

    let kind: Kind
    let line: Int
    let column: Int
}

struct YAMLProblem: Error {
    let message: String
    let line: Int
    let column: Int
}

/// libyaml's parser with a copy of its input.
@safe struct YAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// Nil if memory is exhausted.
    init?(_ bytes: [UInt8]) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            return nil
        }
        unsafe self.parser = unsafe parser
        unsafe input = .allocate(capacity: bytes.count)
        _ = unsafe input.initialize(from: bytes)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    mutating func next() -> Result<YAMLEvent, YAMLProblem> {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { return .failure(problem) }
        defer { unsafe yaml_event_delete(&event) }
        let mark = unsafe event.start_mark
        return unsafe .success(YAMLEvent(kind: Self.kind(event), line: mark.line + 1, column: mark.column + 1))
    }

    private static func kind(_ event: yaml_event_t) -> YAMLEvent.Kind {
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            return unsafe .scalar(Array(UnsafeBufferPointer(start: scalar.value, count: scalar.length)))
        case YAML_SEQUENCE_START_EVENT: return .list
        case YAML_MAPPING_START_EVENT: return .map
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .close
        case YAML_ALIAS_EVENT: return .alias
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return .end
        default: return .other
        }
    }

    private var problem: YAMLProblem {
        let message = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it cannot be read"
        let mark = unsafe parser.pointee.problem_mark
        return YAMLProblem(message: message, line: mark.line + 1, column: mark.column + 1)
    }
}
