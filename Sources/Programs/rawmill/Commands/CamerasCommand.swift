import Arguments
import CommandLineTool
import PictureFormat
import RenderHost
import Telemetry

enum CamerasCommand {
    static let words: Parameter<[String]> = .positionals(
        "WORD", atLeastOne: false, help: "Words that the maker and model must contain.")

    static let command: Command = Command(
        "cameras", summary: "List the cameras whose RAW files this build reads.",
        discussion: """
            The list comes from the LibRaw library that is installed; a newer LibRaw reads more cameras. Each line \
            shows which decoder reads the files at full size, and whether LibRaw has a colour matrix for the camera. \
            Without one, Rawmill uses the matrix in the file. DNG files are read from every camera, listed or not.

            Exit status: 0 found, 3 no camera matches.
            """,
        examples: [.init("rawmill cameras canon r5", "check one camera")],
        parameters: [words, LibraryOption.json]
    ) { values in
        let (all, libRaw) = try RenderProgram.best.cameras()
        let words = values[words].map { $0.lowercased() }
        let found = all.filter { camera in
            let name = "\(camera.make) \(camera.model)".lowercased()
            return words.allSatisfy(name.contains)
        }
        if values[LibraryOption.json] {
            for camera in found { TextOutput.standardOutput.write(event: "camera", fields(camera)) }
        } else {
            for line in lines(found) { TextOutput.standardOutput.write(line: line) }
            let loaded = "the loaded LibRaw \(libRaw) supports \(all.count)"
            if found.isEmpty {
                EmptyList.note("No camera matches these words: \(loaded). Convert its files to DNG.", isText: true)
            } else {
                TextOutput.standardOutput.write(
                    line: "\(SummaryText.counted(found.count, "camera")); \(loaded), and DNG files of all others.")
            }
        }
        return found.isEmpty ? ExitStatus.someFailed : ExitStatus.done
    }

    private static func fields(_ camera: KnownCamera) -> JSONFields {
        [
            "make": camera.make, "model": camera.model, "unpacker": camera.unpacker.rawValue,
            "colourMatrix": camera.hasColourMatrix,
        ]
    }

    private static func lines(_ cameras: [KnownCamera]) -> [String] {
        let names = cameras.map { "\($0.make) \($0.model)" }
        let width = min(names.map(\.count).max() ?? 0, 48)
        return zip(names, cameras).map { name, camera in
            let padding = String(repeating: " ", count: max(0, width - name.count))
            let unpacker = camera.unpacker == .rawmill ? "Rawmill" : "LibRaw "
            return "\(name)\(padding)  \(unpacker)  \(camera.hasColourMatrix ? "colour matrix" : "-")"
        }
    }
}
