// The programme as an element of other websites, <festival-programme area="Torget" language="sv">: docs/taking.md.
// It shows the list that the service writes for its attributes, and fetches in place what is chosen there.

const SERVICE = new URL("../", import.meta.url);
// The service writes its addresses and its style sheet into these.
const LISTS = {/* lists */};
const [STYLE] = [/* style */];
// Attributes that are no parameters of the list.
const OTHERS = /^(query|language|lang|dir|id|class|style|slot|part|hidden|title|role|tabindex|on.*|.*-.*)$/;
// The website's storage has room for little, but a page of an area or a day has its own list.
const [STORED, MOST_STORED] = ["festival-programme", 8];
// Milliseconds between requests, until what was stored is shown while the service is silent, and after typing.
const [INTERVAL, PATIENCE, TYPING] = [60_000, 4_000, 300];
// A website that asks for trusted types allows this one.
const TRUSTED = window.trustedTypes?.createPolicy("festival-programme", { createHTML: (text) => text });
const create = (name, values) => Object.assign(document.createElement(name), values);

// Return what the website's own storage has, with a value once that is kept. It may refuse, or be full.
function keep(key, value) {
    try {
        if (value) localStorage.setItem(key, JSON.stringify(value));
        return JSON.parse(localStorage.getItem(key));
    } catch {
        return null;
    }
}

// Stars are those of My programme on pages of one site, else the website's own, with a link that hands them over.
const IS_OURS = location.origin === SERVICE.origin;
const STARS = IS_OURS ? "my-programme" : "festival-programme-stars";
const stars = new EventTarget();
// The service's frame, and the stars that it tells.
let [frame, told] = [null, null];
const readStars = () => told ?? new Set(keep(STARS));
const tell = (change) => frame.contentWindow.postMessage(change, SERVICE.origin);

function writeStars(ids) {
    keep(STARS, [...ids]);
    stars.dispatchEvent(new Event("change"));
}

function toggleStar(id) {
    const ids = readStars();
    const isOn = ids.delete(id);
    if (told) tell({ [isOn ? "remove" : "add"]: [id] });
    else writeStars(isOn ? ids : ids.add(id));
}

// A browser stores something for all pages of a site. On other sites the frame stays silent.
function shareStars() {
    if (IS_OURS || frame) return;
    frame = create("iframe", { src: new URL("embed/v1.html", SERVICE).href, hidden: true, title: "★" });
    addEventListener("message", ({ source, data }) => {
        if (source !== frame.contentWindow || !data?.stars) return;
        if (!told && readStars().size) tell({ add: [...readStars()] });
        told = new Set(data.stars);
        writeStars([]);
    });
    document.body.append(frame);
}

// Nothing in it runs: the service escapes texts, and what could run is left out.
function parse(text) {
    const page = new DOMParser().parseFromString(TRUSTED?.createHTML(text) ?? text, "text/html");
    const list = page.querySelector(".event-list");
    for (const each of list.querySelectorAll("*")) {
        if (each.localName === "script") each.remove();
        for (const { name } of [...each.attributes]) if (name.startsWith("on")) each.removeAttribute(name);
        if (each.className) each.setAttribute("part", each.className);
    }
    return list;
}

// Occasions have numbers and controls have names; other nodes are the same if they are of one kind and at one place.
const getKey = (node) => node.dataset?.o ?? node.name;
const isSame = (one, other) => one.nodeName === other.nodeName && getKey(one) === getKey(other);
const drop = (node) => [node.nextSibling, node.remove()][0];

// Make a node as another one is, and leave alone what is so already: it keeps its focus, and what is typed in it.
function update(node, wanted) {
    if (node.isEqualNode(wanted)) return;
    const gone = [...node.attributes].filter(({ name }) => name !== "style" && !wanted.hasAttribute(name));
    for (const { name } of gone) node.removeAttribute(name);
    for (const { name, value } of wanted.attributes)
        if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    let next = node.firstChild;
    for (const each of [...wanted.childNodes]) {
        let same = next;
        if (getKey(each)) while (same && !isSame(same, each)) same = same.nextSibling;
        if (same && isSame(same, each)) {
            while (next !== same) next = drop(next);
            if (each.attributes) update(same, each);
            else if (same.data !== each.data) same.data = each.data;
            next = same.nextSibling;
        } else node.insertBefore(each, next);
    }
    while (next) next = drop(next);
}

class FestivalProgramme extends HTMLElement {
    #list = create("div");
    #instead = create("slot");
    #plain = create("i", { hidden: true, style: "color: LinkText" });
    #life = null;
    #request = null;
    // The address that the visitor chose; what is shown, and since when that is so.
    #chosen = null;
    #shown = null;

    constructor() {
        super();
        const root = this.attachShadow({ mode: "open" });
        root.append(this.#instead, this.#list, this.#plain);
        try {
            // A website's Content-Security-Policy may forbid style elements.
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(STYLE);
            root.adoptedStyleSheets = [sheet];
        } catch {
            root.append(create("style", { textContent: STYLE }));
        }
        new MutationObserver(() => this.#visit(null)).observe(this, { attributes: true });
        let typing = 0;
        const submit = (event) => {
            event.preventDefault();
            clearTimeout(typing);
            typing = setTimeout(this.#send, event.type === "input" ? TYPING : 0);
        };
        this.#list.addEventListener("input", submit);
        this.#list.addEventListener("submit", submit);
        this.#list.addEventListener("click", this.#follow);
    }

    connectedCallback() {
        const { signal } = (this.#life = new AbortController());
        const timer = setInterval(this.#renew, INTERVAL);
        signal.addEventListener("abort", () => clearInterval(timer));
        addEventListener("online", this.#load, { signal });
        document.addEventListener("visibilitychange", this.#renew, { signal });
        stars.addEventListener("change", () => this.#fillStars(this.#list), { signal });
        this.#load();
    }

    disconnectedCallback() {
        this.#life.abort();
    }

    get #address() {
        if (this.#chosen) return new URL(this.#chosen);
        const language = this.getAttribute("language") ?? this.closest("[lang]")?.lang ?? "";
        const url = new URL(LISTS[/^en\b/i.test(language) ? "en" : "sv"], SERVICE);
        url.search = this.getAttribute("query") ?? "";
        for (const { name, value } of this.attributes)
            if (!OTHERS.test(name)) url.searchParams.append(name, value);
        return url;
    }

    async #visit(url, isTyped = false) {
        this.#chosen = url;
        if (this.isConnected) await this.#load();
        if (!isTyped) this.#list.querySelector("form")?.reset();
    }

    #send = () => {
        const form = this.#list.querySelector("form");
        const filled = [...new FormData(form)].filter(([, value]) => value.trim());
        this.#visit(`${form.action}?${new URLSearchParams(filled)}`, true);
    };

    #follow = (event) => {
        const star = event.target.closest(".star");
        if (star) toggleStar(Number(star.value));
        const link = event.target.closest("a:not([target])");
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.#visit(link.href);
    };

    #renew = () => {
        if (!document.hidden && Date.now() - (this.#shown?.at ?? 0) > INTERVAL / 2) this.#load();
    };

    #load = async () => {
        this.#request?.abort();
        const { signal } = (this.#request = new AbortController());
        const { href, origin, pathname, search } = this.#address;
        const late = setTimeout(() => this.#showStored(href), PATIENCE);
        if (this.hasAttribute("stars")) shareStars();
        try {
            // The browser revalidates what it has by its ETag. What is wrong with a request is said in the list.
            const response = await fetch(`${origin}${pathname}.html${search}`, { signal });
            if (!response.ok && response.status !== 400) throw new Error(`${response.status} ${href}`);
            const shown = { text: await response.text(), at: Date.now() };
            this.#show(shown);
            const others = Object.entries(keep(STORED) ?? {}).filter(([each]) => each !== href);
            keep(STORED, Object.fromEntries([[href, shown], ...others].slice(0, MOST_STORED)));
        } catch (error) {
            if (signal.aborted) return;
            console.warn("festival-programme:", error.message);
            this.#showStored(href);
        } finally {
            clearTimeout(late);
        }
    };

    #showStored(href) {
        const stored = keep(STORED)?.[href] ?? this.#shown;
        if (stored) this.#show({ ...stored, isAway: true });
    }

    #show(shown) {
        const isKnown = this.#shown?.text === shown.text && this.#shown.isAway === shown.isAway;
        const list = parse(shown.text);
        this.#shown = shown;
        if (isKnown) return;
        if (shown.isAway) {
            const style = { dateStyle: "full", timeStyle: "short", timeZone: list.dataset.zone };
            const moment = new Date(shown.at).toLocaleString(list.lang, style);
            list.querySelector(".status").textContent = list.dataset.away.replace("{}", moment);
        }
        this.#fillStars(list);
        const isOpened = !this.#list.querySelector(".timetable");
        update(this.#list, list);
        this.#instead.toggleAttribute("hidden", true);
        const ahead = this.#list.querySelector(".hour:not(.past)");
        const column = ahead?.parentNode;
        if (column && isOpened)
            column.parentNode.scrollTop = ahead.offsetTop - column.children[0].offsetHeight;
        // Links have the colour of the website's, unless that is as browsers make it.
        const link = this.querySelector("a[href]");
        const [color, plain] = [link, this.#plain].map((each) => each && getComputedStyle(each).color);
        this.#list.style.setProperty("--link", color === plain ? "" : color);
    }

    #fillStars(list) {
        const ids = readStars();
        for (const star of list.querySelectorAll(".star")) {
            const isOn = ids.has(Number(star.value));
            star.textContent = isOn ? "★" : "☆";
            star.setAttribute("aria-pressed", isOn);
        }
        for (const mine of list.querySelectorAll(".mine")) {
            mine.hidden = !ids.size;
            mine.querySelector("span").textContent = ids.size;
            mine.querySelector("a").search = IS_OURS || told ? "" : `occation=${[...ids].join(".")}`;
        }
    }
}

if (!customElements.get("festival-programme")) customElements.define("festival-programme", FestivalProgramme);
