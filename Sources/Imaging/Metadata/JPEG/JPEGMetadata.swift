public import Manifests
import TIFF

/// Reads and replaces metadata in the first bytes of a JPEG. The bytes are untrusted.
public enum JPEGMetadata {
    /// Bytes of a file's start that hold EXIF and XMP if these come first: SOI and two full segments.
    public static let prefixByteCount = 2 + 2 * (2 + 65_535)

    /// The XMP packet.
    ///
    /// - Parameter prefix: the file's first bytes; `prefixByteCount` always suffice.
    /// - Throws: `notAPhoto` if the bytes are not a JPEG or end before its XMP; `noPacket` if it has none.
    public static func xmpPacket(in prefix: [UInt8]) throws(XMPError) -> [UInt8] {
        let found = unsafe prefix.withUnsafeBytes { bytes -> Result<[UInt8], XMPError> in
            guard var segments = unsafe JPEGSegmentReader(bytes) else { return .failure(.notAPhoto) }
            while let segment = segments.next() {
                if let packet = segments.xmpPacket(of: segment), let bytes = segments.bytes.array(packet) {
                    return .success(bytes)
                }
            }
            return .failure(segments.isCutOff ? .notAPhoto : .noPacket)
        }
        return try found.get()
    }

    /// A JPEG without metadata: only its tables, frame and coded samples.
    ///
    /// - Parameter file: the whole file.
    /// - Returns: nil if the bytes are not a JPEG.
    public static func picture(of file: [UInt8]) -> [UInt8]? {
        unsafe file.withUnsafeBytes { bytes -> [UInt8]? in
            guard var segments = unsafe JPEGSegmentReader(bytes) else { return nil }
            var picture: [UInt8] = []
            var end: Int?
            while let segment = segments.next() {
                let isAbout = (0xE0...0xEF).contains(segment.marker.rawValue) || segment.marker.rawValue == 0xFE
                if !isAbout { picture += file[segment.range] }
                if segment.marker == .startOfScan { end = segment.range.upperBound }
            }
            guard let end else { return nil }
            return picture + file[end...]
        }
    }

    /// The file with its XMP packet replaced.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - packet: at most `XMPToolkit.packetLimit` bytes.
    /// - Returns: nil if the file is not a JPEG with a packet, or the new packet does not fit into a segment.
    public static func replacingXMPPacket(in file: [UInt8], with packet: [UInt8]) -> [UInt8]? {
        let found = unsafe file.withUnsafeBytes { bytes -> (segment: Range<Int>, packet: Range<Int>)? in
            guard var segments = unsafe JPEGSegmentReader(bytes) else { return nil }
            while let segment = segments.next() {
                if let packet = segments.xmpPacket(of: segment) { return (segment.range, packet) }
            }
            return nil
        }
        guard let found else { return nil }
        // The marker and the length have two bytes each; the length counts itself.
        let signature = file[(found.segment.lowerBound + 4)..<found.packet.lowerBound]
        let length = 2 + signature.count + packet.count
        guard length <= 65_535 else { return nil }
        var result = Array(file[..<found.segment.lowerBound])
        result.reserveCapacity(file.count - found.packet.count + packet.count)
        result += [0xFF, JPEGMarker.app1.rawValue, UInt8(length >> 8), UInt8(length & 0xFF)]
        result += signature
        result += packet
        result += file[found.segment.upperBound...]
        MultiPictureIndex.adjust(&result)
        return result
    }

    /// The TIFF structure of the EXIF block; nil if there is none.
    ///
    /// - Parameter prefix: the file's first bytes; `prefixByteCount` always suffice.
    public static func exifBlock(in prefix: [UInt8]) -> [UInt8]? {
        unsafe prefix.withUnsafeBytes { bytes -> [UInt8]? in
            guard var segments = unsafe JPEGSegmentReader(bytes) else { return nil }
            while let segment = segments.next() {
                if let block = segments.exif(of: segment) { return segments.bytes.array(block) }
            }
            return nil
        }
    }

    /// The frame header; nil if there is none.
    public static func frameHeader(in prefix: [UInt8]) -> JPEGFrameHeader? {
        unsafe prefix.withUnsafeBytes { bytes -> JPEGFrameHeader? in
            guard var segments = unsafe JPEGSegmentReader(bytes) else { return nil }
            while let segment = segments.next() {
                if segment.marker.isStartOfFrame { return segments.frameHeader(of: segment) }
            }
            return nil
        }
    }
}
