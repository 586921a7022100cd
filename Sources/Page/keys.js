// The keyboard: what each key does on the current screen, and the help that lists it.

import { button, element } from "./elements.js";

const everywhere = [
    { keys: ["?"], text: "Show this help" },
    { keys: ["g n"], text: "Now" }, { keys: ["g g"], text: "Gallery" }, { keys: ["g a"], text: "Albums" },
    { keys: ["g l"], text: "Looks" }, { keys: ["g d"], text: "Import" }, { keys: ["g b"], text: "Batches" },
    { keys: ["g f"], text: "Failures" }, { keys: ["g w"], text: "Workers" },
    { keys: ["Esc"], text: "Close a dialog, clear the selection, or go back" },
];
const places = { n: "now", g: "gallery", a: "albums", l: "looks", d: "drop", b: "batches", f: "failures", w: "workers" };

let screen = { title: "", keys: [] };
let going = 0;

// keys: [{ keys: ["u"], text: "Undo", run: (event) => …}]; those without `run` are only listed.
export function setKeys(title, keys) {
    screen = { title, keys };
}

export function nameOf(event) {
    const parts = [];
    if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
    if (event.altKey) parts.push("Alt");
    if (event.shiftKey && event.key.length > 1) parts.push("Shift");
    parts.push(event.key === " " ? "Space" : event.key);
    return parts.join("+");
}

function isWriting(target) {
    return target.closest?.("input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]") !== null;
}

export function listenToKeys() {
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || document.querySelector("dialog[open]") || isWriting(event.target)) return;
        const name = nameOf(event);
        if (name === "?") {
            event.preventDefault();
            showKeys();
            return;
        }
        if (Date.now() - going < 1500 && places[name]) {
            going = 0;
            event.preventDefault();
            location.hash = `#/${places[name]}`;
            return;
        }
        going = 0;
        const bound = screen.keys.find((key) => key.run && key.keys.includes(name));
        if (bound) {
            if (bound.run(event) !== false) event.preventDefault();
            return;
        }
        if (name === "g") going = Date.now();
    });
    document.getElementById("keys").addEventListener("click", showKeys);
}

function readable(name) {
    return name.replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("ArrowUp", "↑").replace("ArrowDown", "↓")
        .replace("Escape", "Esc").replace(/(^|\+)([a-z])$/, (_, plus, letter) => (plus ? plus + letter.toUpperCase() : letter));
}

function list(title, keys) {
    return keys.length === 0 ? [] : [
        element("h3", {}, title),
        element("dl", { class: "keys" }, keys.map(({ keys: names, text }) => [
            element("dt", {}, names.map((name, at) => [at > 0 ? " or " : null, element("kbd", {}, readable(name))]).flat()),
            element("dd", {}, text),
        ]).flat()),
    ];
}

function showKeys() {
    const dialog = element("dialog", { "aria-labelledby": "keys-title", class: "wide" },
        element("div", { class: "sheet" },
            element("h2", { id: "keys-title" }, "Keyboard"),
            ...list(screen.title, screen.keys), ...list("Everywhere", everywhere),
            element("div", { class: "actions" }, button("Close", () => dialog.close(), { autofocus: true }))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    dialog.scrollTop = 0;
}
