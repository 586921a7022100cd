// The entry points for libFuzzer, which provides `main`.
import ForeignBytes
import Glibc

/// The reader named by the environment.
private let reader: any ForeignReader = {
    let name = getenv("RAWMILL_READER").map { String(cString: $0) } ?? ""
    if let reader = ForeignReaders.named(name) { return reader }
    print(ForeignReaders.all.map(\.name).joined(separator: "\n"))
    exit(name.isEmpty ? 0 : 64)
}()

/// Called once, before the first input.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    _ = reader.name
    return 0
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    try? reader.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
