import CommandLineTool
import Digest
import Glibc
import Processes
import Samples
import Telemetry

/// A run of the scenario `export`: `rawmill convert --out` is repeatedly killed with SIGKILL and restarted, and finally
/// completed. Users work in its folder meanwhile. After a completed export the next one has another exposure, so that
/// there is always work.
struct ExportRun {
    let plan: Plan
    let layout: ExportLayout
    private(set) var sources: SourceFiles
    /// The original archive.
    private(set) var archive = FileInventory()
    private(set) var editor: PhotoEditor
    private(set) var tally = HarmTally()
    /// Results of an undisturbed export, by exposure.
    private(set) var references: [ExportReference] = []
    /// Complaints directly after kills: sentences.
    private(set) var complaints: [String] = []
    /// End of the last export; nil if it had to be killed.
    private(set) var lastEnd: ProcessEnd?
    private var random: SplitMix64
    private let report: (String) -> Void
    private let start = ContinuousClock.now

    /// - Parameter report: receives a line for each event.
    init(_ plan: Plan, folder: String, megapixels: Double, report: @escaping (String) -> Void) {
        self.plan = plan
        self.report = report
        layout = ExportLayout(folder: folder)
        sources = SourceFiles(layout.archive, plan, megapixels: megapixels)
        editor = PhotoEditor(folder: layout.out, outside: "\(folder)/outside")
        random = SplitMix64(seed: plan.seed)
    }

    /// - Returns: the promises that held and those that did not.
    mutating func run() async throws -> Outcome {
        log("making \(sources.description)")
        try sources.make()
        try archive.noteFiles(below: layout.archive)
        editor.putFile(at: photoName(0), "my own picture")
        editor.putFile(at: "notes.txt", "notes")
        try await addReference()
        let deadline = ContinuousClock.now + plan.patience
        while tally.total < plan.harms, ContinuousClock.now < deadline { try await harm() }
        log("done: \(tally.description)")
        let last = layout.export(exposure: exposure)
        try last.start()
        lastEnd = try await last.end(within: plan.patience)
        return try await ExportChecks(run: self).outcome()
    }

    /// Exposures count up from 0.
    private var exposure: Int { references.count - 1 }

    private mutating func addReference() async throws {
        let reference = try await ExportReference(layout, exposure: references.count, within: plan.patience)
        log("exposure \(references.count): \(reference.photos.count) photos, status \(reference.status)")
        references.append(reference)
    }

    /// One export, killed after a while, while users work.
    private mutating func harm() async throws {
        let export = layout.export(exposure: exposure)
        try export.start()
        let end = ContinuousClock.now + .milliseconds(Int.random(in: 100...2500, using: &random))
        while ContinuousClock.now < end, !export.hasEnded {
            try await Task.sleep(for: .milliseconds(Int.random(in: 20...200, using: &random)))
            if Int.random(in: 0..<3, using: &random) == 0 { editPhoto() }
        }
        let isOver = export.hasEnded
        if isOver {
            _ = try await export.end(within: .zero)
            log("an export was completed")
            return try await addReference()
        }
        export.kill()
        tally.count(.kill)
        complaints += try halfFiles()
        log("kill: \(layout.out) has \(try FolderListing.files(below: layout.out).count) files")
    }

    private mutating func editPhoto() {
        let names = (try? FolderListing.files(below: layout.out)) ?? []
        let photo = names.filter { $0.hasSuffix(".jpg") }.randomElement(using: &random)
        let wanted = photoName(Int.random(in: 0..<plan.jobs, using: &random))
        let before = editor.count
        editor.act(at: Bool.random(using: &random) ? wanted : photo ?? wanted, &random)
        tally.filesTouched += editor.count - before
    }

    /// Files that are neither a photo of an exposure nor a user's.
    private func halfFiles() throws -> [String] {
        let known = Set(references.flatMap(\.photos.values))
        return try editor.files.unknownFiles(below: layout.out).compactMap { path in
            guard case .file(let digest) = FileInventory.content(of: path), !known.contains(digest) else { return nil }
            return "\(path) was neither a complete photo nor a user's file after kill \(tally.total)"
        }
    }

    /// Below the folder for photos.
    private func photoName(_ number: Int) -> String {
        String(sources.photoName(number).dropFirst("photos/archive/".count))
    }

    private func log(_ text: String) {
        let time = start.duration(to: .now) / .seconds(1)
        report("  \(NumberText.decimal(time, places: 1)) s  \(text)")
    }
}

/// The folders of a tortured export, and its command line.
struct ExportLayout {
    let folder: String

    var archive: String { "\(folder)/archive" }
    var out: String { "\(folder)/photos" }
    var state: String { "\(folder)/state" }

    /// `rawmill convert --out` with an exposure in tenths of a stop.
    func export(exposure: Int) -> RoleProcess {
        RoleProcess(
            "convert-\(exposure)",
            ["convert", archive, "--out", out, "--state", state, "-j", "2", "--exposure", Self.stops(exposure)],
            log: "\(folder)/convert.log")
    }

    static func stops(_ exposure: Int) -> String { "\(Double(exposure) / 10)" }
}

/// The result of an undisturbed export, by one slot, at the lowest processor level, with other contents of fresh
/// memory, so that it is also a second render (I8).
struct ExportReference {
    /// By name below the folder.
    let photos: [String: SHA256Value]
    let status: Int32

    init(_ layout: ExportLayout, exposure: Int, within time: Duration) async throws {
        let folder = "\(layout.folder)/reference-\(exposure)"
        let script = #"""
            MALLOC_PERTURB_=165 RAWMILL_CPU_LEVEL=1 "$0" convert "$1" --out "$2/photos" --state "$2/state" -j 1 \
                --exposure "$3" >/dev/null 2>&1; echo $?
            """#
        let printed = try ShellCommand.run(
            "/bin/sh",
            ["-c", script, try RawmillProgram.path(), layout.archive, folder, ExportLayout.stops(exposure)])
        var photos: [String: SHA256Value] = [:]
        for name in try FolderListing.files(below: "\(folder)/photos") {
            if case .file(let digest) = FileInventory.content(of: "\(folder)/photos/\(name)") { photos[name] = digest }
        }
        self.photos = photos
        status = Int32(printed.split(separator: "\n").last.flatMap { Int32($0) } ?? -1)
    }
}
