extension Duration {
    /// Milliseconds for a C call that waits: never negative, which would mean for ever.
    var wholeMilliseconds: Int32 {
        let milliseconds = components.seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return self < .zero ? 0 : .max }
        return Int32(clamping: max(0, milliseconds.partialValue + components.attoseconds / 1_000_000_000_000_000))
    }
}
