// Photos that are being developed again: what is shown of each until it is there, and why one stayed as it was.

import { get } from "./api.js";
import { calmly, listen } from "./events.js";

const known = new Map();
const watchers = new Set();

// { order, look, state: "rendering" or "failed", preview, message } of the photo that has this id; undefined for any other.
export const editOf = (id) => known.get(id);

// Calls back when something is known that was not, until the returned function is called.
export function whenEditsChange(callback) {
    watchers.add(callback);
    return () => watchers.delete(callback);
}

function changed() {
    for (const watcher of watchers) watcher();
}

async function read() {
    const { edits } = await get("/v1/edits");
    known.clear();
    // The newest comes first, and counts.
    for (const edit of edits.reverse()) known.set(edit.photo, edit);
    changed();
}

export function followEdits() {
    const soon = calmly(read, 100);
    // The new photos are in sight before the previews go.
    const later = calmly(read, 1500);
    listen("edit", (event) => {
        if (!event.photo) return soon();
        known.set(event.photo, event);
        changed();
    });
    listen("library", later);
    listen("again", soon);
    soon();
}
