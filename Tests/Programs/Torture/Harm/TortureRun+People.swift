import Samples

/// Users' changes to files while a cluster is at work.
extension TortureRun {
    /// Users work in `photos/`. In the scenario `people`, newer edits of an order's photos arrive meanwhile and need
    /// the names.
    mutating func letPeopleWork() async throws -> String {
        let order = plan.scenario == .people ? try beginEdit() : nil
        let actions = Int.random(in: 4...12, using: &random)
        let before = editor.count
        for _ in 0..<actions {
            if let name = photoName() { editor.act(at: name, &random) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 10...150, using: &random)))
        }
        try await end(order)
        tally.filesTouched += editor.count - before
        return "\(editor.count - before) files" + (order.map { ", \($0.name) meanwhile" } ?? "")
    }

    /// The name of a present or future photo.
    private mutating func photoName() -> String? {
        if Int.random(in: 0..<4, using: &random) == 0 {
            return sources.photoName(Int.random(in: 0..<plan.jobs, using: &random))
        }
        let photos = "\(layout.library)/photos"
        let names = (try? FolderListing.files(below: photos)) ?? []
        return names.filter { $0.hasSuffix(".jpg") && !$0.contains("/.") }.randomElement(using: &random).map {
            "photos/\($0)"
        }
    }

    /// Another program changes its settings files of RAWs that are about to be moved.
    mutating func editCompanions() -> String? {
        var edited = 0
        let names = archive.contents.keys.filter { $0.hasSuffix(".pp3") }.sorted()
        for path in names.shuffled(using: &random).prefix(8) where archive.isUnchanged(path) {
            let program = SavingProgram.allCases.randomElement(using: &random) ?? .inPlace
            guard let digest = program.save(path, adding: "exposure \(tally.filesTouched)") else { continue }
            archive.note(path, .file(digest))
            editedCompanions.insert(path)
            tally.filesTouched += 1
            edited += 1
        }
        return edited == 0 ? nil : "\(edited) settings of other programs"
    }
}
