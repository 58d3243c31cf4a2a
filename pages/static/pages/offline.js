// What is stored where no page of an address is (showStored), and what is near (showNear): the server wrote all of it.

const HOUR = 3600e3;
const MAX_NEAR = 20;
const language = document.documentElement.lang;
const locale = language === "en" ? "en-GB" : language;

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const parse = async (response) => new DOMParser().parseFromString(await response.text(), "text/html");

function create(name, text, values = {}) {
    return Object.assign(document.createElement(name), { textContent: text, ...values });
}

/** Show of the document of all that is to come what an address asks for: an occasion, or words; else what is stored. */
export async function showStored(element) {
    const { everything, kept, plain, nothing, occasion } = element.dataset;
    const stored = await caches.match(everything);
    const { pathname, search } = location;
    const words = new URLSearchParams(search).get("q");
    const page = stored && (await parse(stored));
    const id = pathname.startsWith(occasion) && pathname.slice(occasion.length);
    const one = page && id && page.getElementById(id);
    if (!one && !(page && words)) {
        await showPages(element);
        return;
    }
    if (one) {
        showFound(element, one.querySelector("a").textContent, [one]);
    } else {
        const wanted = fold(words).trim().split(/\s+/);
        for (const each of page.querySelectorAll("article"))
            if (!wanted.every((word) => fold(each.textContent).includes(word))) each.remove();
        const days = [...page.querySelectorAll("section")].filter((each) => each.querySelector("article"));
        showFound(element, words, [create("p", plain), ...days]);
        if (!days.length) element.append(create("p", nothing.replace("{}", words), { className: "notice" }));
    }
    const when = new Date(+stored.headers.get("x-kept-at"));
    const moment = when.toLocaleString(locale, { dateStyle: "full", timeStyle: "short" });
    element.prepend(create("p", kept.replace("{}", moment), { className: "notice offline", role: "status" }));
    document.dispatchEvent(new Event("rows"));
    // Its star is called by it.
    if (one) one.querySelector("h3").remove();
}

function showFound(element, title, nodes) {
    document.title = document.title.replace(element.querySelector("h1").textContent, () => title);
    element.replaceChildren(create("h1", title, { dir: "auto" }), ...nodes);
}

async function showPages(element) {
    const list = element.querySelector("ul");
    const seen = new Set();
    for (const request of (await (await caches.open("pages-2")).keys()).reverse()) {
        const { pathname, search } = new URL(request.url);
        const page = await parse(await caches.match(request));
        const [title] = page.title.split(" – ");
        if (page.documentElement.lang !== language || page.getElementById("stored") || seen.has(title))
            continue;
        seen.add(title);
        const link = create("a", title, { href: pathname + search });
        list.append(create("li", ""));
        list.lastChild.append(link);
    }
    list.parentElement.hidden = !seen.size;
}

// --- Near

let position = null;

function measure([latitude, longitude], { coords }) {
    const radians = Math.PI / 180;
    const across = (longitude - coords.longitude) * Math.cos(((latitude + coords.latitude) / 2) * radians);
    return Math.hypot(latitude - coords.latitude, across) * radians * 6371e3;
}

const formatDistance = (metres) =>
    metres < 1000
        ? `${Math.ceil(metres / 10) * 10} m`
        : `${(metres / 1000).toLocaleString(locale, { maximumFractionDigits: 1 })} km`;

async function fetchArticles(path) {
    const response = await fetch(path).catch(() => null);
    const page = await parse(response?.ok ? response : await caches.match(path, { ignoreSearch: true }));
    return [...page.querySelectorAll("article[data-at]:not(.off)")];
}

/** Show what is on now and in the next hours by its distance, with the filters of the page. The position stays here. */
export async function showNear(button) {
    const { path, refused, unknown, none } = button.dataset;
    const panel = document.getElementById("near");
    const say = (text) => panel.replaceChildren(create("p", text, { className: "notice" }));
    try {
        position ??= await new Promise((...ends) =>
            navigator.geolocation.getCurrentPosition(...ends, { timeout: 20000, maximumAge: 60000 }),
        );
    } catch ({ code }) {
        say(code === 1 ? refused : unknown);
        return;
    }
    const now = Date.now();
    const near = (await fetchArticles(path).catch(() => []))
        .filter(({ dataset }) => dataset.ends * 1000 > now && dataset.begins * 1000 <= now + 2 * HOUR)
        .map((each) => [measure(each.dataset.at.split(",").map(Number), position), each])
        .sort(([one], [other]) => one - other)
        .slice(0, MAX_NEAR);
    for (const [metres, each] of near) {
        for (const text of each.querySelectorAll(".text")) text.remove();
        each.querySelector("p").prepend(create("b", formatDistance(metres)), " ");
    }
    if (near.length) panel.replaceChildren(create("div", "", { className: "cards" }));
    else say(none);
    panel.firstChild.append(...near.map(([, each]) => each));
    document.dispatchEvent(new Event("rows"));
}
