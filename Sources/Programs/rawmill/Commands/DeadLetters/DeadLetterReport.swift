import Broker
import Clock
import Jobs
import Manifests
import Telemetry

enum DeadLetterReport {
    static func lines(_ numbered: NumberedLetter) -> [String] {
        let letter = numbered.letter
        return [
            TerminalText.escape("\(numbered.number)  \(time(letter))  \(ending(letter))  \(numbered.subject)"),
            TerminalText.escape("    \(message(numbered))"),
        ]
    }

    static func text(_ numbered: NumberedLetter) -> [String] {
        let letter = numbered.letter
        var fields = [
            ("number", "\(numbered.number)"), ("parked", time(letter)), ("reason", ending(letter)),
            ("message", message(numbered)), ("what to do", letter.failure.reason.remedy),
            ("worker", "\(letter.worker) (engine \(letter.engine))"),
            ("record", place(letter)),
        ]
        fields += numbered.job.map(describe) ?? [("value", dump(letter.value))]
        fields += numbered.headers.map { ("header \($0.name)", String(decoding: $0.value, as: UTF8.self)) }
        let width = fields.reduce(0) { max($0, $1.0.count) }
        return fields.map { name, value in
            TerminalText.escape("\(name)\(String(repeating: " ", count: width - name.count))  \(value)")
        }
    }

    static func json(_ numbered: NumberedLetter) -> String {
        let letter = numbered.letter
        return JSONWriter.line(
            EventLine(
                "deadLetter",
                [
                    "number": numbered.number,
                    "parked": WallClock.text(milliseconds: letter.parkedMilliseconds),
                    "reason": letter.failure.reason.rawValue,
                    "message": message(numbered),
                    "signal": letter.failure.signal,
                    "attempts": letter.attempts,
                    "worker": letter.worker,
                    "engine": letter.engine,
                    "topic": letter.topic,
                    "partition": letter.partition,
                    "offset": letter.offset,
                    "file": numbered.job?.source.raw.file.description,
                    "job": numbered.job?.id.description,
                    "batch": numbered.job?.batch.description,
                    "value": letter.value.map(hex),
                ]))
    }

    private static func place(_ letter: DeadLetter) -> String {
        letter.worker == DeadLetter.ledger
            ? "\(letter.topic), recreated from the ledger"
            : "\(letter.topic), partition \(letter.partition), offset \(letter.offset)"
    }

    private static func describe(_ job: Job) -> [(String, String)] {
        [
            ("file", job.source.raw.file.description), ("look", job.recipe.look.description),
            ("job", job.id.description), ("batch", "\(job.batch), round \(job.round)"),
            ("needs", "engine \(job.engineNeeded)"),
        ]
    }

    private static func ending(_ letter: DeadLetter) -> String {
        let signal = letter.failure.signal.map { ", signal \($0)" } ?? ""
        return
            "\(letter.failure.reason.rawValue)\(signal)  after \(SummaryText.counted(Int(clamping: letter.attempts), "attempt"))"
    }

    private static func message(_ numbered: NumberedLetter) -> String {
        guard let job = numbered.job else { return numbered.letter.failure.message }
        return numbered.letter.failure.message(about: job.source.raw.file)
    }

    private static func time(_ letter: DeadLetter) -> String {
        WallClock.text(milliseconds: letter.parkedMilliseconds).prefix(19) + "Z"
    }

    /// The first bytes of an unreadable value.
    private static func dump(_ value: [UInt8]?) -> String {
        guard let value else { return "none" }
        return "\(SummaryText.counted(value.count, "byte")): \(hex(value.prefix(64)))\(value.count > 64 ? "…" : "")"
    }

    private static func hex(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
