// What goes on at this moment: speed, queue, failures, memory, the last hour, and the photos as they finish.

import { get } from "./api.js";
import { element, heading, replace, say } from "./elements.js";
import { listen } from "./events.js";
import { setKeys } from "./keys.js";
import { stageBars } from "./photo-facts.js";
import { preview, watchPicture } from "./pictures.js";
import { Plots } from "./plots.js";
import { bytes, count, counted, duration, lookName, milliseconds, rate } from "./words.js";

const figures = [
    ["photosPerSecond", "photos a second", (now) => rate(now.photosPerSecond), "large"],
    ["megapixelsPerSecond", "megapixels a second", (now) => rate(now.megapixelsPerSecond), "large"],
    ["eta", "left", (now) => (now.queued + now.inFlight === 0 ? "–" : now.etaSeconds === null ? "…" : duration(now.etaSeconds)), "large"],
    ["queued", "queued", (now) => count(now.queued)],
    ["inFlight", "in flight", (now) => count(now.inFlight)],
    ["completed", "completed", (now) => count(now.completed)],
    ["failed", "failed", (now) => count(now.failed), "", "#/failures"],
    ["slots", "slots at work", (now) => `${now.busySlots} of ${now.slots}`, "", "#/workers"],
    ["memory", "memory", (now) => bytes(now.memoryBytes)],
    ["free", "free on disk", (now) => bytes(now.freeBytes)],
];
const states = { idle: "Idle", working: "Working", paused: "Paused", blocked: "Needs attention" };
const shownPhotos = 24;
// Photos that finished while the page was open stay for the next look at this screen.
const finished = [];

listen("photo", (photo) => {
    finished.unshift(photo);
    finished.length = Math.min(finished.length, shownPhotos);
});

export async function showNow(place) {
    const state = element("span", { class: "state", role: "status" });
    const message = element("p", { class: "strip warn", hidden: true });
    const boxes = new Map(figures.map(([name, label, , kind = "", link]) => {
        const value = element("dd", {});
        const term = element("dt", {}, link ? element("a", { href: link }, label) : label);
        return [name, { value, element: element("div", { class: `figure-box ${kind}` }, term, value) }];
    }));
    const stages = element("div", {});
    const plotsPlace = element("div", { class: "plots" });
    const photos = element("div", { class: "finished" });
    const nothing = element("p", { class: "quiet" }, "Photos appear here as they finish.");
    replace(place,
        heading("Now", state), message,
        element("dl", { class: "figures" }, [...boxes.values()].map((box) => box.element)),
        plotsPlace,
        element("section", { class: "just-finished", "aria-label": "Just finished" }, element("h2", {}, "Just finished"), nothing, photos),
        element("section", { class: "stage-section", "aria-label": "Stages" }, element("h2", {}, "Time per stage"), stages));
    setKeys("Now", []);

    const plots = new Plots(plotsPlace, [
        { title: "Photos a second", fields: [{ name: "photosPerSecond", label: "photos/s", colour: "--plot-a" }], read: rate },
        { title: "Megapixels a second", fields: [{ name: "megapixelsPerSecond", label: "MP/s", colour: "--plot-b" }], read: rate },
        { title: "Queue", fields: [{ name: "queued", label: "queued", colour: "--plot-c" }, { name: "failed", label: "failed", colour: "--plot-d" }], read: count, axis: (number) => (Number.isInteger(number) ? count(number) : "") },
        { title: "Memory", fields: [{ name: "memoryBytes", label: "memory", colour: "--plot-b" }], read: bytes, least: 1e8 },
    ]);
    let fields = [];

    function show(now) {
        say(state, states[now.state] ?? now.state);
        state.dataset.state = now.state;
        message.hidden = !now.message;
        say(message, now.message ?? "");
        for (const [name, , read] of figures) say(boxes.get(name).value, read(now));
        boxes.get("failed").element.classList.toggle("bad", now.failed > 0);
        if (now.degraded > 0) boxes.get("completed").element.title = `${counted(now.degraded, "photo")} with unreliable colours`;
        if (now.stages?.length > 0) replace(stages, stageBars(now.stages));
        else replace(stages, element("p", { class: "quiet" }, "Stage times appear after the first render."));
        if (fields.length > 0 && now.time) {
            const time = new Date(now.time).getTime();
            plots.add(fields.map((field) => (field === "time" ? time : now[field] ?? null)));
        }
    }

    const readHistory = async () => {
        const history = await get("/v1/history");
        fields = history.fields;
        await plots.start(history);
    };

    // New photos come in at the front, at most twice a second, so that the eye can follow.
    let due = null;
    function showFinished() {
        due = null;
        nothing.hidden = finished.length > 0;
        const there = new Map([...photos.children].map((child) => [child.dataset.id, child]));
        replace(photos, finished.map((photo) => there.get(photo.id) ?? finishedPhoto(photo)));
    }
    const stops = [
        listen("now", show),
        listen("photo", () => { due ??= setTimeout(showFinished, 500); }),
        listen("again", () => readHistory().catch(() => {})),
    ];
    show(await get("/v1/now"));
    readHistory().catch(() => {});
    await readNewest();
    showFinished();
    return {
        close() {
            for (const stop of stops) stop();
            clearTimeout(due);
            plots.close();
        },
    };
}

// After a reload.
async function readNewest() {
    if (finished.length > 0) return;
    try {
        const { photos } = await get("/v1/finished");
        if (finished.length === 0) finished.push(...photos);
    } catch {
        // They come as they finish.
    }
}

function finishedPhoto(photo) {
    const image = watchPicture(element("img", { alt: "", decoding: "async", src: preview(photo, 200) }));
    const link = element("a", { href: `#/photo/${encodeURIComponent(photo.id)}`, class: "finished-photo" },
        element("div", { class: "picture" }, image),
        element("span", { class: "name" }, photo.name),
        element("span", { class: "about quiet" }, [lookName(photo.look), photo.milliseconds ? milliseconds(photo.milliseconds) : null].filter(Boolean).join(" · ")));
    link.dataset.id = photo.id;
    return link;
}
