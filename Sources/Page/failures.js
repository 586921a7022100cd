// What failed, grouped by reason: each file with what to do about it.

import { get, post, query } from "./api.js";
import { attempt, confirm, notice } from "./dialogs.js";
import { button, element, emptyState, heading, reconcile, replace, say } from "./elements.js";
import { calmly, listen } from "./events.js";
import { setKeys } from "./keys.js";
import { mayChange } from "./session.js";
import { count, counted } from "./words.js";

const step = 100;

export async function showFailures(place, route) {
    const batch = route.values.batch;
    const number = element("p", { class: "number", role: "status" });
    const list = element("div", { class: "groups" });
    const nothing = emptyState("No failures", batch ? "All finished photos of this batch are good." : "All finished photos are good. Failed files appear here, each with a remedy.");
    const all = element("div", { class: "actions" },
        mayChange() ? button("Retry all", (event) => retry({}, event.currentTarget)) : null,
        mayChange() ? button("Dismiss all…", () => dismiss({}, "all")) : null,
        element("a", { class: "button", href: `/v1/failures.csv${query({ batch })}`, download: "failures.csv" }, "CSV ↓"));
    replace(place, heading("Failures", number, all),
        batch ? element("p", { class: "quiet" }, "Of one batch. ", element("a", { href: "#/failures" }, "Show all")) : null, list, nothing);
    setKeys("Failures", []);

    const read = async () => {
        const { total, groups } = await get(`/v1/failures${query({ batch })}`);
        say(number, total > 0 ? counted(total, "file") : "");
        nothing.hidden = groups.length > 0;
        all.hidden = groups.length === 0;
        reconcile(list, groups, (group) => group.reason, makeGroup, updateGroup);
    };
    await read();
    const again = calmly(read, 800);
    const stops = [listen("failed", again), listen("batches", again), listen("library", again), () => again.stop()];

    // A batch's own screen retries its files by name.
    async function jobs(which) {
        if (which.jobs || !batch) return which;
        const { groups } = await get(`/v1/failures${query({ batch })}`);
        return { jobs: groups.filter((group) => !which.reason || group.reason === which.reason).flatMap((group) => group.files.map((file) => file.job)) };
    }

    async function retry(which, pressed) {
        const done = await attempt(async () => post("/v1/failures/retry", await jobs(which)), pressed);
        if (done) notice(done.retried > 0 ? `${counted(done.retried, "file")} will be retried.` : "None of them can be retried as it is.");
        again();
    }

    async function dismiss(which, what) {
        if (what && !await confirm(`Dismiss ${what}?`, "Do this with what was dealt with. The ledgers of the batches still count them.", "Dismiss")) return;
        const done = await attempt(async () => post("/v1/failures/dismiss", await jobs(which)));
        if (done) notice(`${counted(done.dismissed, "file")} dismissed.`);
        again();
    }

    function makeGroup(group) {
        const made = element("section", { class: "card failure-group" });
        made.heading = element("h2", {});
        made.number = element("span", { class: "figure quiet" });
        made.remedy = element("p", { class: "remedy" });
        made.files = element("ul", { class: "files" });
        made.more = button("Show more", () => { made.shown += step; updateGroup(made, made.group); }, { class: "plain" });
        made.shown = step;
        made.retry = button("Retry these", (event) => retry({ reason: group.reason }, event.currentTarget));
        made.append(element("div", { class: "card-head" }, made.heading, made.number), made.remedy,
            mayChange() ? element("div", { class: "actions" }, made.retry,
                button("Dismiss…", () => dismiss({ reason: group.reason }, `these ${count(made.group.count)}`))) : "",
            made.files, made.more);
        return made;
    }

    function updateGroup(made, group) {
        made.group = group;
        say(made.heading, group.title);
        say(made.number, counted(group.count, "file"));
        say(made.remedy, group.remedy);
        made.retry.hidden = !group.retryable;
        made.more.hidden = group.files.length <= made.shown;
        reconcile(made.files, group.files.slice(0, made.shown), (file) => file.job, () => element("li", { class: "failed-file" }),
            (entry, file) => updateFile(entry, file, group));
    }

    function updateFile(entry, file, group) {
        const key = JSON.stringify(file);
        if (entry.shownAs === key) return;
        entry.shownAs = key;
        const details = [
            file.attempts > 1 ? `${file.attempts} attempts` : null,
            file.signal ? `killed by ${file.signal}` : null,
        ].filter(Boolean).join(" · ");
        replace(entry,
            element("div", { class: "file-text" },
                element("p", { class: "file-name" }, file.photo ? element("a", { href: `#/photo/${encodeURIComponent(file.photo)}` }, file.file) : file.file),
                element("p", {}, file.message),
                details ? element("p", { class: "quiet" }, details) : null,
                file.log ? element("details", {}, element("summary", {}, "Last log lines"), element("pre", { class: "log", tabindex: "0" }, file.log)) : null),
            mayChange() ? element("div", { class: "actions" },
                group.retryable ? button("Retry", (event) => retry({ jobs: [file.job] }, event.currentTarget), { class: "small", "aria-label": `Retry ${file.file}` }) : null,
                button("Dismiss", () => dismiss({ jobs: [file.job] }, null), { class: "small", "aria-label": `Dismiss ${file.file}` })) : "");
    }

    return { close: () => stops.forEach((stop) => stop()) };
}
