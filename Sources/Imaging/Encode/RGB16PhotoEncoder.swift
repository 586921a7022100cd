public import Pixels

/// Makes one photo's file from strips with 16 bits a channel, while they are developed.
public protocol RGB16PhotoEncoder: RGB16StripSink {
    /// Time spent on the strips, summed over all threads.
    var encodingTime: Duration { get }

    /// Completes the photo. All strips must have been written.
    ///
    /// - Returns: the file's size in bytes.
    /// - Throws: `EncodeError`, also for what went wrong with a strip.
    func finish() throws(EncodeError) -> Int
}
