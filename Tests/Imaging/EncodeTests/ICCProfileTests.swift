import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("ICC profiles")
struct ICCProfileTests {
    @Test("Profiles are small, and two builds give the same bytes", arguments: ColourSpace.allCases)
    func isDeterministic(space: ColourSpace) throws {
        let profile = try ICCProfiles()[space]
        #expect((400...800).contains(profile.count))
        #expect(try ICCProfiles()[space] == profile)
    }

    @Test(
        "exiftool reads the space's white, primaries and date from a photo", .needs(.program("exiftool")),
        .needs(.program("identify")),
        arguments: [
            (ColourSpace.sRGB, "sRGB", "0.43604 0.22249 0.01392"),
            (.displayP3, "Display P3", "0.51512 0.2412 -0.00105"),
            (.adobeRGB, "Compatible with Adobe RGB (1998)", "0.60974 0.31111 0.01947"),
        ])
    func isRead(space: ColourSpace, name: String, red: String) throws {
        let bytes = try encode(makePicture(16, 16, .quarter, space: space))
        let report = try ExternalTool.run("exiftool", ["-s3", "-icc_profile:all", "-n"], on: bytes)
        let all = try ExternalTool.run(
            "exiftool", ["-s3", "-ProfileDescription", "-RedMatrixColumn", "-ProfileDateTime"], on: bytes)
        #expect(all == "\(name)\n\(red)\n2024:01:01 00:00:00\n", Comment(rawValue: report))
        #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
        #expect(try ExternalTool.run("identify", ["-format", "%[profile:icc]"], on: bytes) == name)
    }
}
