// The entry points of libFuzzer, which brings the program's main function.
import ForeignBytes
import Glibc

/// The reader that the environment names.
private let reader: any ForeignReader = {
    let name = getenv("RAWMILL_READER").map { String(cString: $0) } ?? ""
    if let reader = ForeignReaders.named(name) { return reader }
    print(ForeignReaders.all.map(\.name).joined(separator: "\n"))
    exit(name.isEmpty ? 0 : 64)
}()

/// libFuzzer calls it once, before the first input.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    _ = reader.name
    return 0
}

/// libFuzzer calls it with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    try? reader.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
