import CameraFiles
import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Samples
import Testing

/// Damaged files against the test build and against a build with the shipped program's settings.
@Suite(.serialized) struct DamageTests {
    @Test("None of 700 damaged samples crashes, or decodes to samples other than the original's")
    func damagedSamples() throws { try checkDamagedSamples(.debug) }

    @Test("None of 700 damaged samples crashes the shipped build", .needs(.shippedProbe))
    func damagedSamplesShipped() throws { try checkDamagedSamples(.shipped) }

    @Test("Damaged CR2s are classified, and none crashes its process")
    func damagedCR2() throws { try checkDamagedCR2(.debug) }

    @Test("Damaged CR2s are classified by the shipped build", .needs(.shippedProbe))
    func damagedCR2Shipped() throws { try checkDamagedCR2(.shipped) }

    private static let realFiles = ["canon-eos-d30.crw", "kodak-dc50.kdc", "canon-kiss-x4-colorchecker.dng"]

    @Test(
        "Damaged files of other formats are classified, or crash only their own process", .night,
        .needs(.realFiles), arguments: realFiles)
    func damagedRealFiles(name: String) throws { try checkDamagedRealFile(name, .debug) }

    @Test(
        "The shipped build classifies damaged files of other formats, or they crash only their own process",
        .needs(.realFiles), .needs(.shippedProbe), arguments: realFiles)
    func damagedRealFilesShipped(name: String) throws { try checkDamagedRealFile(name, .shipped) }

    private func checkDamagedSamples(_ probe: DecodeProbe) throws {
        let sample = Sample.dng(index: 5, size: PixelSize(width: 300, height: 200))
        let report = try DamageReport(probe, sample, seeds: 0..<700)
        #expect(report.crashes == [])
        #expect(report.outcomes.count == 700)
        #expect(report.count("DIFFERENT") == 0, "\(report.outcomes.filter { $0.value == "DIFFERENT" }.keys)")
        #expect(report.count("corrupt") > 400)
    }

    private func checkDamagedCR2(_ probe: DecodeProbe) throws {
        let cr2 = CR2File(size: PixelSize(width: 192, height: 128), components: 4, slices: [2, 60, 72])
        let plane = cr2.plane()
        let report = try DamageReport(probe, cr2.bytes(plane), seeds: 0..<300)
        #expect(report.crashes == [])
        #expect(report.outcomes.count == 300)
        // A CR2 has no digest: a decoded file may differ from the written one.
        #expect(report.count("corrupt") > 120)
    }

    /// Rawmill or LibRaw refuses them; LibRaw crashes on a few. A file may have spare bytes after its last samples.
    @Test("A cut file of every camera format is refused", .night, arguments: CameraForm.all)
    func cut(form: CameraForm) throws {
        let bytes = form.bytes(Sample.size(megapixels: 0.4))
        // LibRaw 0.20 does not recognise so small a file as an X-T3's.
        #expect(try outcome(of: bytes) == "decoded" || form.name == "lossy-xtrans-14.raf")
        for percent in [10, 35, 60, 80] {
            let word = try outcome(of: Array(bytes.prefix(bytes.count * percent / 100)))
            #expect(word != "decoded", "\(percent) % of it")
        }
    }

    /// Nil if it crashed the process.
    private func outcome(of bytes: [UInt8]) throws -> String? {
        let file = FileManager.default.temporaryDirectory.appending(path: "rawmill-cut-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (output, isCrash) = try DecodeProbe.debug.run(["whole", file.path])
        return isCrash ? nil : output.split(separator: " ").last.map { String($0.prefix { $0 != "\n" }) }
    }

    /// LibRaw crashes on some of these.
    private func checkDamagedRealFile(_ name: String, _ probe: DecodeProbe) throws {
        let bytes = try RealFiles.contents(of: name)
        let report = try DamageReport(probe, bytes, seeds: 0..<70)
        #expect(report.outcomes.count + report.crashes.count == 70)
        #expect(report.crashes.count <= 7, "\(report.crashes)")
    }
}

/// A parser with deliberate faults, compiled with the settings of Decode and with those of kernels.
@Suite(.serialized) struct ShippedSettingsTests {
    @Test(
        "With the settings of parsers, a faulty parser traps in the shipped build", .needs(.shippedProbe),
        arguments: ["index", "overflow"])
    func checkedTraps(mistake: String) throws {
        let (output, isCrash) = try DecodeProbe.shipped.run(["wrong-parser", "checked", mistake])
        #expect(isCrash && output.isEmpty)
    }

    @Test(
        "With the settings of kernels, the same parser continues with a wrong result", .needs(.shippedProbe),
        arguments: ["index", "overflow"])
    func uncheckedGoesOn(mistake: String) throws {
        let (output, isCrash) = try DecodeProbe.shipped.run(["wrong-parser", "unchecked", mistake])
        #expect(!isCrash && !output.isEmpty)
    }

    @Test(
        "A debug build traps with both settings", .night, arguments: ["checked", "unchecked"], ["index", "overflow"])
    func debugTraps(settings: String, mistake: String) throws {
        let (output, isCrash) = try DecodeProbe.debug.run(["wrong-parser", settings, mistake])
        #expect(isCrash && output.isEmpty)
    }
}
