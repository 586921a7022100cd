#if DEBUG
    @testable import Web

    /// What answers where a role is asked for its health.
    struct HTTPAnswers: ForeignReader {
        let name = "http-answer"

        func read(_ bytes: [UInt8]) { _ = LocalRequest.answer(bytes) }
    }
#endif
