import Decode

/// Camera profiles (DCP), alone and packed.
struct CameraProfiles: ForeignReader {
    let name = "dcp"

    func read(_ bytes: [UInt8]) throws {
        if let pack = try? CameraProfilePack(packed: bytes) { _ = try pack.profile(for: ["A"]) }
        _ = try CameraProfileFile(bytes)
    }
}
