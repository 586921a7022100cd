// Makes elements. Texts only ever become text: nothing here reads HTML, so a file's name cannot be anything but a name.

// Characters that turn the direction of what follows, and control characters, would let a name look like another: they show.
const deceiving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function honest(text) {
    return typeof text === "string" ? text.replace(deceiving, "\ufffd") : text;
}

// element("a", { class: "x", href: "…", onclick: f, hidden: true }, "text", child, null, [more])
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else if (value === true) made.setAttribute(name, "");
        else made.setAttribute(name, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false).map(honest));
    return made;
}

export function button(text, onclick, attributes = {}) {
    return element("button", { type: "button", onclick, ...attributes }, text);
}

export function replace(parent, ...children) {
    parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

// Writes a text only where it differs, so that screen readers and layout are left alone.
export function say(where, text) {
    const shown = honest(String(text));
    if (where.textContent !== shown) where.textContent = shown;
}

// Brings a list's children in line with `items`: each keeps its element by key, so that focus and open details stay.
export function reconcile(parent, items, key, make, update) {
    const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
    let place = parent.firstElementChild;
    for (const item of items) {
        const name = String(key(item));
        let child = old.get(name);
        if (child) old.delete(name);
        else {
            child = make(item);
            child.dataset.key = name;
        }
        update(child, item);
        if (child === place) place = place.nextElementSibling;
        else parent.insertBefore(child, place);
    }
    for (const gone of old.values()) gone.remove();
}

export function heading(title, ...beside) {
    return element("div", { class: "heading" }, element("h1", {}, title), ...beside);
}

// What a screen shows where it has nothing yet: what is so, and what to do.
export function emptyState(title, text, ...actions) {
    return element("div", { class: "empty" }, element("h2", {}, title), element("p", {}, text), ...actions);
}

export function errorState(error, again) {
    return element("div", { class: "empty", role: "alert" },
        element("h2", {}, error.message),
        error.remedy ? element("p", {}, error.remedy) : null,
        again ? button("Try again", again) : null);
}

let last = 0;
export function freshID(stem) {
    last += 1;
    return `${stem}-${last}`;
}
