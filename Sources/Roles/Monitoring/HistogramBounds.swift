/// Upper bounds of histogram buckets, in seconds.
enum HistogramBounds {
    /// For stages and photos: from a null job's millisecond to ten minutes.
    static let work: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600,
    ]
    /// For a database's commits.
    static let commit: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}
