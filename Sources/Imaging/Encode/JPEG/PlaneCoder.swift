import PictureFormat

final class PlaneCoder {
    /// Room beyond the worst case, in bytes.
    static let slack = 4096

    /// libjpeg-turbo's headers and tables for one quality and subsampling, independent of the picture.
    private struct Template {
        let quality: Int
        let subsampling: JPEGSubsampling
        let head: JPEGHead
        let tables: ScanTables
    }

    private let path: JPEGPath
    private var template: Template?

    /// - Parameter path: must be supported by this processor.
    init(path: JPEGPath = .ofThisBuild) { self.path = path }

    /// Writes a picture's entropy-coded data and the end marker (EOI).
    ///
    /// - Parameters:
    ///   - quality: 1…100, libjpeg's scale.
    ///   - output: at least `TurboHandle.worstCase` plus `slack` bytes.
    /// - Returns: the head for the data, and the number of bytes written.
    func code(
        _ planes: JPEGPlanes, quality: Int, into output: UnsafeMutableRawBufferPointer
    ) throws(EncodeError) -> (head: JPEGHead, byteCount: Int) {
        if path == .turbo { return try unsafe Self.compress(planes, quality: quality, into: output) }
        let template = try template(quality, planes.subsampling)
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output.dropLast(2))
        guard let dataCount = unsafe template.tables.code(planes, path, into: room) else {
            throw .encoderFailed("it had no room for its data")
        }
        unsafe output[dataCount] = 0xFF
        unsafe output[dataCount + 1] = 0xD9
        return (template.head, dataCount + 2)
    }

    private func template(_ quality: Int, _ subsampling: JPEGSubsampling) throws(EncodeError) -> Template {
        if let template, template.quality == quality, template.subsampling == subsampling { return template }
        let size = PixelSize(width: 16, height: 16)
        let samples = UnsafeMutablePointer<UInt8>.allocate(capacity: size.pixelCount)
        defer { unsafe samples.deallocate() }
        unsafe samples.initialize(repeating: 128, count: size.pixelCount)
        var buffer = OutputBuffer()
        let output = try unsafe buffer.reserve(TurboHandle.worstCase(size, subsampling))
        let planes = unsafe JPEGPlanes(grey: samples, size: size, subsampling: subsampling)
        let byteCount = try unsafe TurboHandle().compress(planes, quality: quality, output: output)
        let file = unsafe UnsafeRawBufferPointer(start: output, count: byteCount)
        guard let head = unsafe JPEGHead(file), let tables = unsafe ScanTables(file) else {
            throw .encoderFailed("it wrote no JPEG")
        }
        let made = Template(quality: quality, subsampling: subsampling, head: head, tables: tables)
        template = made
        return made
    }

    private static func compress(
        _ planes: JPEGPlanes, quality: Int, into output: UnsafeMutableRawBufferPointer
    ) throws(EncodeError) -> (head: JPEGHead, byteCount: Int) {
        guard let start = output.baseAddress else { throw .encoderFailed("it had no room for its data") }
        let byteCount = try unsafe TurboHandle().compress(planes, quality: quality, output: start)
        guard let head = unsafe JPEGHead(UnsafeRawBufferPointer(start: start, count: byteCount)),
            byteCount >= head.byteCount + 2
        else { throw .encoderFailed("it wrote no JPEG") }
        // Moves the data to the start, over the head.
        let dataCount = byteCount - head.byteCount
        unsafe start.copyMemory(from: start + head.byteCount, byteCount: dataCount)
        return (head, dataCount)
    }
}
