public import Jobs
internal import Wire

extension Control.Action {
    var wire: Rawmill__V1__ControlAction {
        switch self {
        case .pause: RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_PAUSE
        case .resume: RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_RESUME
        case .cancel: RAWMILL__V1__CONTROL_ACTION__CONTROL_ACTION_CANCEL
        }
    }
}

extension Control {
    public func encoded() -> [UInt8] {
        packed { arena in
            var control = Rawmill__V1__Control()
            rawmill__v1__control__init(&control)
            control.action = action.wire
            control.batch_id = arena.bytes(batch?.bytes ?? [])
            return control
        }
    }

    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__control__unpack) {
            (message) throws(RecordError) in
            let action = try known(message.action, "action") { (action: Control.Action) in action.wire }
            let batch = message.batch_id.len == 0 ? nil : try message.batch_id.batch("batch_id")
            guard let control = Control(action, batch: batch) else {
                throw .malformed("a cancellation without a batch")
            }
            return control
        }
    }
}
