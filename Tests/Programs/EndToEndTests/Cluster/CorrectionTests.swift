import Digest
import ExternalTools
import Foundation
import Lenses
import Samples
import Testing

extension ClusterTests {
    /// Photos whose colours and lens corrections come from the library's tables, which workers pass to render
    /// processes.
    @Suite struct CorrectionTests {
        /// A table with the lenses of the samples' camera.
        private static var lenses: LensTable {
            let camera = SampleCamera()
            let lenses = [24, 35, 50, 85].map { length in
                LensRecord(
                    makers: [camera.make], names: ["Rawmill \(length)mm F2"], mounts: ["Mill"],
                    focalLengths: SIMD2(repeating: Float(length)), minAperture: 2,
                    sensor: CalibrationSensor(cropFactor: 1.5),
                    distortion: [
                        DistortionPoint(model: .ptlens, focalLength: Float(length), terms: SIMD3(0.02, -0.1, 0.03))
                    ])
            }
            return LensTable(
                cameras: [
                    CameraRecord(makers: [camera.make], models: [camera.model], mount: "Mill", cropFactor: 1.5)
                ], lenses: lenses)
        }

        /// Stores a lens table in a library, as `rawmill lenses update` does with this machine's.
        private func store(_ table: LensTable, in library: URL) throws {
            let folder = library.appending(path: ".rawmill/lenses")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let digest = SHA256Value(of: table.bytes)
            try Data(table.bytes).write(to: folder.appending(path: "\(digest).lenses"))
            try Data("\(digest)\n".utf8).write(to: folder.appending(path: "current"))
        }

        @Test(
            "A folder of camera profiles and the library's lens table apply to a cluster's photos",
            .needs(.program("exiftool")), .needs(.program("djpeg")))
        func profilesAndLenses() throws {
            let cluster = try TestCluster(.mock)
            let sources = cluster.folder.appending(path: "archive/shoot")
            let made = try Rawmill.run("sample", "--out", sources.path, "--count", "1", "--megapixels", "0.3")
            try #require(made.status == 0, "\(made.errors)")
            try store(Self.lenses, in: cluster.library)
            let profiles = cluster.folder.appending(path: "profiles")
            try FileManager.default.createDirectory(at: profiles, withIntermediateDirectories: true)
            let camera = SampleCamera()
            var grey = ProfileWriter(camera: "\(camera.make) \(camera.model)")
            grey.saturation = 0
            try Data(grey.file()).write(to: profiles.appending(path: "grey.dcp"))
            try Data(ProfileWriter(camera: "Another Camera").file()).write(to: profiles.appending(path: "other.dcp"))
            let roles = try [
                cluster.start("coordinator"), cluster.start("catalogue"), cluster.start("worker", ["-j", "1"]),
            ]
            let archive = cluster.folder.appending(path: "archive").path
            let roots = ["--root", "archive=\(archive)", "--root", "library=\(cluster.library.path)"]
            /// The lens note and the colourfulness of an order's photo.
            func photo(_ look: String, _ options: [String]) throws -> (lens: String, colourfulness: Double) {
                let ended = try cluster.run(
                    "submit", ["archive/shoot", "--wait", "--json", "--look", look] + roots + options)
                try #require(ended.status == 0, "\(ended.output) \(ended.errors) \(roles.map(\.errorsSoFar))")
                let name = "\(cluster.library.path)/photos/archive/shoot/sample-0001.\(look).jpg"
                #expect(cluster.wait { FileManager.default.fileExists(atPath: name) })
                return (
                    try ExternalTool.run("exiftool", ["-s3", "-XMP:Lens", name]),
                    try Self.colourfulness(name, in: cluster.folder)
                )
            }
            let own = try photo("neutral", [])
            #expect(own.lens.hasPrefix("distortion, as known of Rawmill "), "\(own.lens)")
            #expect(own.colourfulness > 20, "\(own.colourfulness)")
            let profiled = try photo("clear", ["--dcp", profiles.path, "--lens", "off"])
            #expect(profiled.lens.isEmpty, "\(profiled.lens)")
            #expect(profiled.colourfulness < 5, "\(profiled.colourfulness)")
            for role in roles {
                role.send(SIGTERM)
                #expect(role.wait(seconds: 120).status == 0)
            }
        }

        /// The colourfulness of a photo: the mean difference of each pixel's largest and smallest channel.
        private static func colourfulness(_ path: String, in folder: URL) throws -> Double {
            let samples = folder.appending(path: "photo.ppm")
            _ = try ExternalTool.run("djpeg", ["-outfile", samples.path, path])
            let bytes = [UInt8](try Data(contentsOf: samples))
            // Three lines, and three bytes per pixel.
            let start = try #require(bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.dropFirst(2).first) + 1
            let pixels = stride(from: start, to: bytes.count - 2, by: 3).map { bytes[$0..<$0 + 3] }
            let distances = pixels.map { Double(($0.max() ?? 0) - ($0.min() ?? 0)) }
            return distances.reduce(0, +) / Double(max(distances.count, 1))
        }
    }
}
