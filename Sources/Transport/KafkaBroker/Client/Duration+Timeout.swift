extension Duration {
    /// The duration in whole milliseconds, as a timeout for librdkafka. Never negative, which would mean no timeout.
    var timeoutMilliseconds: Int32 {
        let milliseconds = components.seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return self < .zero ? 0 : .max }
        return Int32(clamping: max(0, milliseconds.partialValue + components.attoseconds / 1_000_000_000_000_000))
    }
}
