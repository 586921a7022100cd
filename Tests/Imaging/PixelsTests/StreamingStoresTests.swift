import PixelKernels
import Testing

@Suite("StreamingStores")
struct StreamingStoresTests {
    @Test("Any number of bytes is copied between any addresses, without touching other bytes")
    func anywhere() {
        let bytes = (0..<512).map { _ in UInt8.random(in: 1...(.max)) }
        for start in 0..<80 {
            for count in [0, 1, 63, 64, 65, 128, 190, 200, 256] {
                for offset in [0, 1, 2, 14] {
                    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 64)
                    defer { target.deallocate() }
                    target.initializeMemory(as: UInt8.self, repeating: 0)
                    bytes.withUnsafeBytes { bytes in
                        guard let from = bytes.baseAddress, let to = target.baseAddress else { return }
                        StreamingStores.copy(from + offset, to: to + start, byteCount: count)
                        StreamingStores.fence()
                    }
                    let before = [UInt8](repeating: 0, count: start)
                    let after = [UInt8](repeating: 0, count: 512 - start - count)
                    #expect(Array(target) == before + bytes[offset..<offset + count] + after)
                }
            }
        }
    }
}
