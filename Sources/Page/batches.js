// Batches: each with its ledger, its progress, and what can be done with it.

import { get, post } from "./api.js";
import { attempt, confirm } from "./dialogs.js";
import { button, element, emptyState, heading, reconcile, replace, say } from "./elements.js";
import { calmly, listen } from "./events.js";
import { setKeys } from "./keys.js";
import { mayChange } from "./session.js";
import { count, counted, duration, lookName, moment } from "./words.js";

const states = { planning: "being planned", running: "running", paused: "paused", cancelled: "cancelled", completed: "completed" };
const usual = new Set(["look-strength 1.0", "exposure 0.0", "white-balance as-shot", "colour-space srgb", "format jpeg"]);
const parts = ["catalogued", "failed", "cancelled", "open"];

export async function showBatches(place) {
    const list = element("ul", { class: "cards" });
    const nothing = emptyState("No batches yet", "Drop RAW files on this page, or run rawmill convert or rawmill submit. Each order is a batch.",
        element("a", { class: "button", href: "#/drop" }, "Import photos"));
    replace(place, heading("Batches"), list, nothing);
    setKeys("Batches", []);
    const read = async () => {
        const { batches } = await get("/v1/batches");
        nothing.hidden = batches.length > 0;
        reconcile(list, batches, (batch) => batch.id, makeCard, updateCard);
    };
    await read();
    const again = calmly(read, 1000);
    const stops = [listen("batches", again), listen("now", (now) => now.state !== "idle" && again()), () => again.stop()];
    return { close: () => stops.forEach((stop) => stop()) };
}

function makeCard() {
    const card = element("li", { class: "card batch" });
    card.title_ = element("h2", {});
    card.state = element("span", { class: "state" });
    card.about = element("p", { class: "quiet" });
    card.details = element("p", { class: "quiet" });
    card.bar = element("div", { class: "ledger-bar", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100", "aria-label": "Done" },
        parts.slice(0, 3).map((part) => element("span", { class: part })));
    card.figures = new Map(["accepted", ...parts].map((part) => [part, element("span", { class: "figure" })]));
    const sum = (part, sign) => [element("span", { class: "sign", "aria-hidden": "true" }, sign),
        element("span", { class: `part ${part}` }, card.figures.get(part), " ", part)];
    card.ledger = element("p", { class: "ledger" }, element("span", { class: "part" }, card.figures.get("accepted"), " accepted"),
        sum("catalogued", "="), sum("failed", "+"), sum("cancelled", "+"), sum("open", "+"));
    card.actions = element("div", { class: "actions" });
    card.append(element("div", { class: "card-head" }, card.title_, card.state), card.about, card.bar, card.ledger, card.actions,
        element("details", { class: "inner" }, element("summary", {}, "Details"), card.details));
    return card;
}

function updateCard(card, batch) {
    say(card.title_, batch.title ?? `${lookName(batch.look)}, ${moment(batch.submitted)}`);
    say(card.state, states[batch.state] ?? batch.state);
    card.state.dataset.state = batch.state;
    // Digests are for programs; the look is named already, and what is as usual need not be said.
    const settings = (batch.settings ?? []).filter(({ name, value }) => !/sha256|-table$/.test(name) && !usual.has(`${name} ${value}`)).map(({ name, value }) => `${name} ${value}`);
    const eta = batch.etaSeconds !== null && batch.etaSeconds !== undefined && batch.state === "running" ? `${duration(batch.etaSeconds)} left` : null;
    say(card.about, [eta, batch.look, batch.lane === "interactive" ? "interactive" : null, batch.reused > 0 ? `${count(batch.reused)} existed already` : null, ...settings]
        .filter(Boolean).join(" · "));
    say(card.details, `batch ${batch.id}`);
    const all = Math.max(1, batch.accepted);
    const done = batch.accepted === 0 ? (batch.state === "completed" ? 100 : 0) : Math.floor((100 * (batch.accepted - batch.open)) / all);
    card.bar.setAttribute("aria-valuenow", done);
    card.bar.setAttribute("aria-valuetext", `${done} %, ${count(batch.open)} open`);
    parts.slice(0, 3).forEach((part, at) => { card.bar.children[at].style.width = `${(100 * batch[part]) / all}%`; });
    for (const [part, figure] of card.figures) say(figure, count(batch[part]));
    card.ledger.classList.toggle("has-failed", batch.failed > 0);
    showActions(card, batch);
}

// The buttons stay the same elements while what can be done stays the same, so that focus is kept.
function showActions(card, batch) {
    const possible = [];
    if (mayChange()) {
        if (["planning", "running"].includes(batch.state)) possible.push("pause");
        if (batch.state === "paused") possible.push("resume");
        if (batch.open > 0 && batch.state !== "cancelled") possible.push("cancel");
        if (batch.failed > 0) possible.push("retry");
    }
    if (batch.failed > 0) possible.push("failures");
    const key = possible.join(" ");
    card.batch = batch;
    if (card.possible === key) return;
    card.possible = key;
    const labels = { pause: "Pause", resume: "Resume", cancel: "Cancel…", retry: "Retry failed" };
    const had = card.actions.contains(document.activeElement);
    replace(card.actions, possible.map((action) => action === "failures"
        ? element("a", { class: "button", href: `#/failures?batch=${encodeURIComponent(batch.id)}` }, "Show failures")
        : button(labels[action], (event) => act(card, action, event.currentTarget), { class: action === "cancel" ? "danger-quiet" : null, "data-action": action })));
    if (had) card.actions.querySelector("button, a")?.focus();
}

async function act(card, action, pressed) {
    const batch = card.batch;
    if (action === "cancel" && !await confirm(`Cancel this batch?`,
        `${counted(batch.open, "photo")} will not be rendered. The ${count(batch.catalogued)} finished photos stay in the library.`, "Cancel batch", { keep: "Go on" })) return;
    const changed = await attempt(() => post(`/v1/batches/${encodeURIComponent(batch.id)}/${action}`), pressed);
    if (changed?.id) updateCard(card, changed);
}
