internal import Wire

extension Arena {
    /// A text that may be absent, uncut.
    func optionalText(_ text: String?) -> UnsafeMutablePointer<Rawmill__V1__OptionalText>? {
        text.flatMap { text in
            var message = Rawmill__V1__OptionalText()
            rawmill__v1__optional_text__init(&message)
            message.text = self.text(text, limit: .max)
            return pointer(to: message)
        }
    }
}

func text(
    _ message: UnsafeMutablePointer<Rawmill__V1__OptionalText>?, _ field: String
) throws(RecordError) -> String? {
    guard let message else { return nil }
    return try message.pointee.text.text(field)
}
