import Arguments
import Campaigns
import Clock
import CommandLineTool
import Digest
import Jobs
import Manifests
import Runs
import Storage
import Telemetry

/// `rawmill campaign canary NAME`: renders a sample of a campaign, and writes a page with each photo before, after, and
/// their difference.
enum CampaignCanaryCommand {
    private static let count: Parameter<Int> = .option(
        "count", "N", default: 12, must: .within(1...1000), help: "Number of sample photos, spread over the campaign.")
    private static let out: Parameter<PathArgument?> = .optional(
        "out", "DIR", completion: .folders, help: "New folder for the comparison page. (default: no page)")

    static let command: Command = Command(
        "canary", summary: "Render a sample of a campaign, and compare it with the current photos.",
        discussion: """
            The page opens in any browser. It shows each photo before and after, and the difference, which is black \
            where nothing changes. `rawmill campaign show` estimates the remaining time from this sample.
            """,
        parameters: [CampaignCommand.name, LibraryOption.parameter, count, out] + WorkerOptions.all + ReportOptions.all
    ) { values in
        let folder = values[LibraryOption.parameter]
        let locator = try await RawLocator(library: folder)
        let (campaign, sample) = try chosen(values)
        let photos = sample.compactMap { item, raws in locator.path(of: raws).map { (source: $0, recipe: item.recipe) }
        }
        let page = try values[out].map { try CanaryPage(library: folder, folder: $0.description) }
        let watch = Stopwatch()
        let status = try await CampaignRunCommand.render(photos, values, Console(terminal: Terminal(descriptor: 2)))
        if status == ExitStatus.interrupted { return status }
        let time = watch.elapsed
        let campaigns = try Campaigns(library: folder)
        // Photos that already existed took no time.
        if status == ExitStatus.done, !photos.isEmpty {
            try campaigns.measured(campaign, photos: photos.count, time: time)
        }
        if let page {
            for (item, _) in sample { try page.add(item, shownAt: try campaigns.path(of: item)) }
            let path = try page.write(title: campaign.name)
            TextOutput.standardOutput.write(line: "The page is \(TerminalText.escape(path)).")
        }
        let measured = try campaigns.campaign(campaign.name)
        CampaignReport.write(measured, try campaigns.progress(of: measured), asJSON: values[ReportOptions.json])
        return photos.count < sample.count ? ExitStatus.someFailed : status
    }

    private static func chosen(
        _ values: ArgumentValues
    ) throws -> (Campaign, [(item: CampaignItem, raws: [FileReference])]) {
        do {
            let campaigns = try Campaigns(library: values[LibraryOption.parameter])
            let campaign = try campaigns.campaign(values[CampaignCommand.name])
            if campaign.state == .ended { throw CampaignError.state(campaign.name, campaign.state) }
            return (campaign, try campaigns.sample(values[count], of: campaign))
        } catch let error as CampaignError { throw CampaignCommand.failure(error) }
    }
}

/// An HTML page with photos before and after, and their difference, which the browser computes.
final class CanaryPage {
    private let library: Root
    private let folder: Root
    private var rows: [String] = []

    /// Identifies the page of an earlier canary, which may be replaced.
    private static let mark = "<meta name=\"generator\" content=\"rawmill campaign canary\">"
    private static let maxPreviewBytes: UInt64 = 64 << 20

    /// - Parameters:
    ///   - library: the library's folder.
    ///   - folder: created if missing.
    /// - Throws: `StorageError`; `CommandFailure` if it contains another page.
    init(library: String, folder: String) throws {
        self.library = try Root(path: library)
        self.folder = try Root(path: folder, creating: true)
        let page = Array("index.html".utf8)
        guard try self.folder.factsIfPresent(of: page) != nil else { return }
        let bytes = (try? self.folder.contents(of: page, limitBytes: 1 << 20)) ?? []
        guard String(decoding: bytes, as: UTF8.self).contains(Self.mark) else {
            throw CommandFailure(
                "\(TerminalText.escape(folder))/index.html is not a canary's page and was kept: use another --out.")
        }
    }

    func add(_ item: CampaignItem, shownAt path: RelativePath?) throws {
        let names = [item.old, item.new].map { "\($0.digest).jpg" }
        for (key, name) in zip([item.old, item.new], names) {
            let preview = LibraryLayout.preview(key).bytes
            guard let bytes = try? library.contents(of: preview, limitBytes: Self.maxPreviewBytes) else { return }
            _ = try folder.publish(bytes, at: Array(name.utf8), existing: .replace)
        }
        let title = Self.escape(path.map { "\($0)" } ?? item.asset.description)
        rows.append(
            """
            <section><h2>\(title)</h2><div>
            <figure><img src="\(names[0])" alt="before"><figcaption>before</figcaption></figure>
            <figure><img src="\(names[1])" alt="after"><figcaption>after</figcaption></figure>
            <figure><span><img src="\(names[0])" alt=""><img src="\(names[1])" alt="difference"></span>
            <figcaption>difference</figcaption></figure></div></section>
            """)
    }

    func write(title: String) throws -> String {
        let style = """
            body { font: 15px sans-serif; background: #222; color: #ddd; margin: 2em }
            h2 { font-size: 1em; font-weight: normal } div { display: flex; gap: 1em; flex-wrap: wrap }
            figure { margin: 0; flex: 1 1 20em } img { width: 100%; display: block }
            span { position: relative; display: block; isolation: isolate }
            span img + img { position: absolute; inset: 0; mix-blend-mode: difference }
            """
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8">\(Self.mark)
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
            <title>\(Self.escape(title))</title><style>\(style)</style><h1>\(Self.escape(title))</h1>
            \(rows.joined(separator: "\n"))
            </html>

            """
        _ = try folder.publish(Array(page.utf8), at: Array("index.html".utf8), existing: .replace)
        return "\(folder.path)/index.html"
    }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for character in TerminalText.escape(text) {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
