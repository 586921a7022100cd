internal import PictureFormat

extension DecodeLimits {
    func check(fileBytes count: Int) throws(DecodeError) {
        guard count <= fileBytes else {
            throw DecodeError(.tooLarge, "The file has \(count) bytes; at most \(fileBytes) are allowed.")
        }
    }

    /// - Parameter bytesPerPixel: peak memory of decoding.
    func check(sensor size: PixelSize, bytesPerPixel: Int) throws(DecodeError) {
        let (count, overflow) = size.width.multipliedReportingOverflow(by: size.height)
        guard !overflow, count <= pixels else {
            throw DecodeError(
                .tooLarge, "The sensor has \(size.width) × \(size.height) pixels; at most \(pixels) are allowed.")
        }
        let (bytes, tooMany) = count.multipliedReportingOverflow(by: bytesPerPixel)
        guard !tooMany, bytes <= memoryBytes else {
            throw DecodeError(
                .tooLarge,
                "Decoding \(size.width) × \(size.height) pixels takes more than the allowed \(memoryBytes) bytes.")
        }
    }
}
