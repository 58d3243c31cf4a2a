// What is stored where no page of an address is (showStored), and what is near (showNear): the server wrote all of it.

import { read } from "./storage.js";

// Milliseconds, and occasions.
const [SOON, MAX_NEAR] = [7200e3, 20];
const language = document.documentElement.lang;
const locale = language === "en" ? "en-GB" : language;

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const parse = async (response) => new DOMParser().parseFromString(await response.text(), "text/html");

function create(name, text, values = {}) {
    return Object.assign(document.createElement(name), { textContent: text, ...values });
}

/** Show of the document of all that is to come what an address asks for: an occasion, stars, words; else what is stored. */
export async function showStored(element) {
    const { everything, kept, plain, nothing, occasion, own, zone } = element.dataset;
    const stored = await caches.match(everything);
    const { pathname, search } = location;
    const query = new URLSearchParams(search);
    const page = stored && (await parse(stored));
    const articles = page ? [...page.querySelectorAll("article")] : [];
    const words = query.get("q");
    const isOne = pathname.startsWith(occasion);
    const starred = query.get("occation")?.split(".") ?? (read("my-programme") ?? []).map(String);
    const asked = isOne ? [pathname.slice(occasion.length)] : pathname === own ? starred : [];
    const wanted = fold(words ?? "").match(/\S+/g);
    const isFound = (each) =>
        asked.includes(each.id) || wanted?.every((word) => fold(each.textContent).includes(word));
    const found = articles.filter(isFound);
    if (found.length) {
        const { textContent: programme } = element.querySelector(`[href="${own}"]`);
        const title = isOne ? found[0].querySelector("a").textContent : words || programme;
        for (const each of articles) if (!found.includes(each)) each.remove();
        const days = [...page.querySelectorAll("section")].filter((each) => each.querySelector("h3"));
        document.title = document.title.replace(element.querySelector("h1").textContent, () => title);
        element.replaceChildren(create("h1", title, { dir: "auto" }));
        if (words) element.append(create("p", plain));
        element.append(...(isOne ? found : days));
    } else {
        await showPages(element);
        if (!page || !words) return;
        element.querySelector("h1").textContent = words;
        element.querySelector(".intro").textContent = `${nothing.replace("{}", words)} ${plain}`;
    }
    const style = { dateStyle: "full", timeStyle: "short", timeZone: zone };
    const moment = new Date(+stored.headers.get("x-kept-at")).toLocaleString(locale, style);
    const notice = create("p", kept.replace("{}", moment), { className: "notice offline" });
    notice.setAttribute("role", "status");
    element.prepend(notice);
    document.dispatchEvent(new Event("rows"));
    // Its star is called by it.
    if (isOne) found[0].querySelector("h3").remove();
}

async function showPages(element) {
    const list = element.querySelector("ul");
    const titles = new Map();
    for (const request of (await (await caches.open("pages-2")).keys()).reverse()) {
        const { pathname, search } = new URL(request.url);
        const text = await (await caches.match(request)).text();
        const [[, lang], [head]] = [text.match(/<html lang="(\w+)"/), text.match(/<title>[^<]*/)];
        const [title] = new DOMParser().parseFromString(head, "text/html").title.split(" – ");
        const link = create("a", title, { href: pathname + search, lang });
        if (!text.includes('id="stored"') && !titles.has(title)) titles.set(title, link);
    }
    // Those in the page's language first.
    const links = [...titles.values()].sort(
        (one, other) => (other.lang === language) - (one.lang === language),
    );
    for (const link of links) list.appendChild(create("li", "")).append(link);
    list.parentElement.hidden = !links.length;
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
        .filter(({ dataset }) => dataset.ends * 1000 > now && dataset.begins * 1000 <= now + SOON)
        .map((each) => [measure(each.dataset.at.split(",").map(Number), position), each])
        .sort(([one], [other]) => one - other)
        .slice(0, MAX_NEAR);
    for (const [metres, each] of near) {
        for (const text of each.querySelectorAll(".text")) text.remove();
        each.querySelector("p").prepend(create("b", formatDistance(metres)), " ");
        each.querySelector("h3").replaceWith(each.querySelector("a"));
    }
    if (near.length) panel.replaceChildren(create("div", "", { className: "cards" }));
    else say(none);
    panel.firstChild.append(...near.map(([, each]) => each));
    document.dispatchEvent(new Event("rows"));
}
