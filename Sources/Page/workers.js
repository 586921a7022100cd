// Workers: where they run, what each of their slots does, and how they are.

import { get, post } from "./api.js";
import { attempt, confirm, notice } from "./dialogs.js";
import { button, element, emptyState, heading, reconcile, replace, say } from "./elements.js";
import { calmly, listen } from "./events.js";
import { setKeys } from "./keys.js";
import { mayChange, session } from "./session.js";
import { ago, bytes, count, counted, duration } from "./words.js";

export async function showWorkers(place) {
    const list = element("ul", { class: "cards" });
    const nothing = emptyState("No workers", session().mode === "cluster"
        ? "Start workers with rawmill worker, on any number of machines."
        : "They start when there is work.");
    replace(place, heading("Workers"), list, nothing);
    setKeys("Workers", []);
    const read = async () => {
        const { workers } = await get("/v1/workers");
        nothing.hidden = workers.length > 0;
        reconcile(list, workers, (worker) => worker.name, makeCard, updateCard);
    };
    await read();
    const again = calmly(read, 1000);
    const timer = setInterval(() => document.hidden || again(), 5000);
    const stop = listen("now", again);
    return {
        close() {
            clearInterval(timer);
            stop();
            again.stop();
        },
    };
}

function makeCard(worker) {
    const card = element("li", { class: "card worker" });
    card.state = element("span", { class: "state" });
    card.about = element("p", { class: "quiet" });
    card.message = element("p", { class: "strip warn", hidden: true });
    card.slots = element("ul", { class: "slots" });
    card.drain = button("Drain…", (event) => drain(worker.name, event.currentTarget), { title: "Finish the photos in progress, then stop" });
    card.append(element("div", { class: "card-head" }, element("h2", {}, worker.name), card.state), card.about, card.message, card.slots,
        mayChange() ? element("div", { class: "actions" }, card.drain) : "");
    return card;
}

function updateCard(card, worker) {
    say(card.state, worker.state);
    card.state.dataset.state = worker.state;
    // What a cluster's workers do not say is left out.
    say(card.about, [worker.node === worker.name ? null : `on ${worker.node}`, worker.version, `${count(worker.completed)} completed`, `${count(worker.failed)} failed`,
        worker.memoryBytes ? `${bytes(worker.memoryBytes)} of memory` : null,
        worker.restarts ? counted(worker.restarts, "restart") : null, `heard ${ago(worker.lastHeartbeat)}`].filter(Boolean).join(" · "));
    card.message.hidden = !worker.message;
    say(card.message, worker.message ?? "");
    card.drain.hidden = !worker.canDrain;
    reconcile(card.slots, worker.slots, (slot) => slot.number, makeSlot, (line, slot) => {
        line.dataset.state = slot.state;
        say(line.children[1], slot.file ?? (slot.job ? "a photo" : slot.state));
        line.children[1].title = slot.file ?? "";
        say(line.children[2], slot.seconds === null ? "" : duration(slot.seconds));
    });
}

function makeSlot(slot) {
    return element("li", {}, element("span", { class: "quiet" }, `${slot.number + 1}`), element("span", { class: "file-name" }), element("span", { class: "figure" }));
}

async function drain(name, pressed) {
    if (!await confirm(`Drain ${name}?`, "It finishes its photos in progress, and stops until it is started again.", "Drain it")) return;
    if (await attempt(() => post(`/v1/workers/${encodeURIComponent(name)}/drain`), pressed)) notice(`${name} finishes its photos and stops.`);
}
