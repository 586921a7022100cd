// Questions and notices.

import { button, element, freshID } from "./elements.js";

// Asks before something is done; resolves to whether it was confirmed. The safe answer has the focus.
export function confirm(title, text, verb, { danger = true, keep = "Cancel" } = {}) {
    return new Promise((resolve) => {
        const id = freshID("question");
        const dialog = element("dialog", { "aria-labelledby": id },
            element("div", { class: "sheet" },
                element("h2", { id }, title),
                element("p", {}, text),
                element("div", { class: "actions" },
                    button(keep, () => dialog.close("no"), { autofocus: true }),
                    button(verb, () => dialog.close("yes"), { class: danger ? "danger" : "primary" }))));
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue === "yes");
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}

// Asks for a name; resolves to it, or null. `known` are offered to choose from.
export function askForName(title, label, verb, { value = "", known = [] } = {}) {
    return new Promise((resolve) => {
        const id = freshID("name");
        const input = element("input", { id, required: true, maxlength: 200, list: known.length ? `${id}-known` : null, autocomplete: "off" });
        input.value = value;
        const form = element("form", { class: "sheet" },
            element("h2", { id: `${id}-title` }, title),
            element("label", { for: id }, label),
            input,
            known.length ? element("datalist", { id: `${id}-known` }, known.map((name) => {
                const option = element("option");
                option.value = name;
                return option;
            })) : null,
            element("div", { class: "actions" },
                button("Cancel", () => dialog.close()),
                button(verb, () => {}, { type: "submit", class: "primary" })));
        const dialog = element("dialog", { "aria-labelledby": `${id}-title` }, form);
        let answer = null;
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            answer = input.value.trim() || null;
            dialog.close();
        });
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(answer);
        });
        document.body.append(dialog);
        dialog.showModal();
        input.select();
    });
}

// Says something at the page's edge, for some seconds; an error stays until it is put away.
export function notice(text, { remedy = "", error = false, action = null } = {}) {
    const box = element("div", { class: error ? "notice bad" : "notice" },
        element("div", {}, element("p", {}, text), remedy ? element("p", { class: "quiet" }, remedy) : null),
        action ? button(action.label, () => { box.remove(); action.run(); }) : null,
        button("×", () => box.remove(), { class: "plain", "aria-label": "Close this notice" }));
    document.getElementById("notices").append(box);
    if (!error) setTimeout(() => box.remove(), 7000);
    return box;
}

export function complain(error) {
    if (error?.name === "AbortError") return;
    if (error?.status === undefined) console.error(error);
    notice(error.message, { remedy: error.remedy, error: true });
}

// Runs a change with its button waiting, and says what went wrong.
export async function attempt(work, pressed = null) {
    if (pressed) pressed.disabled = true;
    try {
        return await work();
    } catch (error) {
        complain(error);
        return undefined;
    } finally {
        if (pressed) pressed.disabled = false;
    }
}
