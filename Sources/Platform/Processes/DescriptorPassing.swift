internal import CProcesses
internal import Glibc

/// Passes open files to another process over a Unix socket.
public enum DescriptorPassing {
    /// The most descriptors per call.
    public static let maxCount = Int(rawmill_max_descriptors)

    /// Sends at least one byte over a connected Unix socket, and with the first byte up to `maxCount` descriptors,
    /// which are duplicated in the receiver. Returns the number of bytes sent; nil if the peer has closed the socket.
    public static func send(_ bytes: ArraySlice<UInt8>, with descriptors: [Int32], over socket: Int32) -> Int? {
        while true {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe descriptors.withUnsafeBufferPointer { descriptors in
                    unsafe rawmill_send_descriptors(
                        socket, bytes.baseAddress, bytes.count, descriptors.baseAddress, Int32(descriptors.count))
                }
            }
            if count > 0 { return count }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    /// Receives available bytes with their descriptors, which the caller owns. Returns no bytes if a signal interrupted
    /// the wait; nil at the end of the connection.
    public static func receive(limit: Int, over socket: Int32) -> (bytes: [UInt8], descriptors: [Int32])? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var descriptors = [Int32](repeating: -1, count: maxCount)
        var descriptorCount: Int32 = 0
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe descriptors.withUnsafeMutableBufferPointer { descriptors in
                unsafe rawmill_receive_descriptors(
                    socket, bytes.baseAddress, bytes.count, descriptors.baseAddress, &descriptorCount)
            }
        }
        if count < 0, errno == EINTR { return ([], []) }
        guard count > 0 else { return nil }
        return (Array(bytes[..<count]), Array(descriptors[..<Int(descriptorCount)]))
    }
}
