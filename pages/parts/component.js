// The programme as an element of other websites, <festival-programme area="Torget" language="sv">: docs/taking.md.
// Later versions at the same address keep its attributes, parts and properties.

const SERVICE = new URL("../", import.meta.url);
// The service writes the facts that it knows into these lists.
const FILTERS = [
    ...["date", "area", "subarea", "location", "room", "organizer", "type", "spoken", "list", "q"],
    ...["highlighted", "signinterpreted", "occation", "edition"],
    ...[/* facts */],
];
// Attributes that may stand without a value.
const FLAGS = ["highlighted", "signinterpreted", ...[/* flags */]];
// What nobody may miss, as the parameter that finds it and its words.
const URGENT = [/* urgent */];
// The list links to the rest.
const MOST = 200;
// Programmes in the website's storage, which has room for little: a page of an area or a day has its own.
const MOST_STORED = 8;
// Milliseconds between requests, and until what was stored is shown while the service is silent.
const INTERVAL = 60_000;
const PATIENCE = 4_000;

const WORDS = {
    sv: {
        locale: "sv-SE",
        start: "",
        cancelled: "Inställt",
        changed: "Ändrat",
        all: "Hela programmet",
        more: "{} till",
        nothing: "Inget i programmet just nu.",
        away: "Programmet kan inte hämtas just nu.",
        kept: "Så här såg det ut {}.",
    },
    en: {
        locale: "en-GB",
        start: "en/",
        cancelled: "Cancelled",
        changed: "Changed",
        all: "The whole programme",
        more: "{} more",
        nothing: "Nothing in the programme right now.",
        away: "The programme cannot be fetched right now.",
        kept: "This is how it was {}.",
    },
};

// Constructed, because a website's Content-Security-Policy may forbid style elements.
const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
:host {
    display: block;
    color: var(--festival-ink, inherit);
    font-family: var(--festival-font, inherit);
    overflow-wrap: anywhere;
}
:host([hidden]), [hidden] { display: none; }
[part="heading"] { margin: 1.5em 0 0.25em; font: inherit; font-size: 1.125em; font-weight: 650; }
[part="day"]:first-child [part="heading"] { margin-top: 0; }
[part="heading"]::first-letter { text-transform: uppercase; }
ul { margin: 0; padding: 0; list-style: none; }
p { margin: 0; }
li, [part="all"] {
    padding: 0.5em 0;
    border-top: 1px solid var(--festival-line, color-mix(in srgb, currentcolor 25%, transparent));
}
li { display: flex; gap: 0.75em; }
li > div { flex: 1; min-width: 0; }
img { flex: none; width: 6em; height: 4em; border-radius: 4px; object-fit: cover; }
[part="times"] { margin-inline-end: 0.25em; font-variant-numeric: tabular-nums; font-weight: 650; }
a { color: var(--festival-accent, inherit); text-decoration: underline 1px; text-underline-offset: 0.16em; }
a:hover { text-decoration-thickness: 2px; }
li a { font-weight: 600; }
[part~="cancelled"] a { text-decoration: line-through; }
[part="note"] { color: var(--festival-warn, inherit); font-weight: 650; }
[part="place"] { color: var(--festival-quiet, inherit); }
[part="status"]:not(:empty) { padding: 0.5em 0; font-weight: 650; }
`);

// --- What the service sends, as what is shown and stored

function parseAddress(text) {
    try {
        const { protocol, href } = new URL(text);
        return ["http:", "https:"].includes(protocol) ? href : "";
    } catch {
        return "";
    }
}

function formatTimes({ date, startTime, timeSpan }, day) {
    // The heading has the day of what begins on it; after midnight the date belongs to the times.
    return date === day ? timeSpan.slice(timeSpan.indexOf(startTime.slice(0, 5))) : timeSpan;
}

function formatNote({ cancelled, updated, changeInfo }, words) {
    const mark = cancelled ? words.cancelled : updated ? words.changed : "";
    return mark && changeInfo ? `${mark}: ${changeInfo}` : mark;
}

function readOccasion(event, language) {
    const { occation, location, area } = event;
    const day = String(occation.dayID).replace(/^(.*)(..)(..)$/, "$1-$2-$3");
    return {
        id: occation.id,
        day,
        begins: `${occation.date}T${occation.startTime}`,
        times: formatTimes(occation, day),
        title: event.title,
        url: parseAddress(occation.url[language] ?? occation.url.sv),
        note: formatNote(event, WORDS[language]),
        cancelled: event.cancelled,
        place: location ? location.fullName : area.name,
        image: parseAddress(event.imageUrl),
        alt: event.imageCaption ?? "",
    };
}

function groupByDay(occasions) {
    const days = new Map();
    for (const each of occasions) days.set(each.day, [...(days.get(each.day) ?? []), each]);
    return days;
}

function formatDay(day, { locale }) {
    const date = new Date(`${day}T00:00Z`);
    const year = date.getUTCFullYear() === new Date().getFullYear() ? undefined : "numeric";
    const parts = { weekday: "long", day: "numeric", month: "long", year, timeZone: "UTC" };
    // Between weekday and day English has a comma if there is a year.
    return new Intl.DateTimeFormat(locale, parts).format(date).replace(",", "");
}

function formatMoment(moment, { locale }) {
    const parts = { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" };
    return new Date(moment).toLocaleString(locale, parts);
}

// --- What was shown last, in the website's own storage, which may be full, or refuse

const PREFIX = "festival-programme:";

function readStored(url) {
    try {
        return JSON.parse(localStorage.getItem(PREFIX + url));
    } catch {
        return null;
    }
}

function makeRoom(url) {
    if (localStorage.getItem(PREFIX + url)) return;
    const others = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const dated = others.map((key) => [readStored(key.slice(PREFIX.length))?.at ?? 0, key]);
    const oldest = dated.sort(([one], [other]) => other - one).slice(MOST_STORED - 1);
    for (const [, key] of oldest) localStorage.removeItem(key);
}

function store(url, programme) {
    try {
        makeRoom(url);
        localStorage.setItem(PREFIX + url, JSON.stringify(programme));
    } catch {
        // Then the next visit needs the service.
    }
}

// --- Nodes, of which only those that differ are touched

function create(name, part, ...children) {
    const node = document.createElement(name);
    if (part) node.setAttribute("part", part);
    node.append(...children);
    return node;
}

function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
}

function setTextOrHide(node, text) {
    setText(node, text);
    setHidden(node, !text);
}

function setHidden(node, hidden) {
    if (node.hidden !== hidden) node.hidden = hidden;
}

function setAttribute(node, name, value) {
    if (!value && name !== "alt") node.removeAttribute(name);
    else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

function arrange(parent, nodes) {
    const kept = new Set(nodes);
    for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
    nodes.forEach((node, place) => {
        if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null);
    });
}

function createLink() {
    const link = create("a", "link");
    link.target = "_blank";
    link.rel = "noopener";
    link.dir = "auto";
    return link;
}

class OccasionItem {
    constructor() {
        this.times = create("time", "times");
        this.link = createLink();
        this.note = create("p", "note");
        this.place = create("p", "place");
        this.place.dir = this.note.dir = "auto";
        this.image = create("img", "image");
        this.image.loading = "lazy";
        this.image.referrerPolicy = "no-referrer";
        const text = create("div", "", create("p", "", this.times, " ", this.link), this.note, this.place);
        this.node = create("li", "occasion", text);
    }

    fill(occasion, mark, hasImages) {
        setAttribute(this.node, "part", occasion.cancelled ? "occasion cancelled" : "occasion");
        setText(this.times, occasion.times);
        setAttribute(this.times, "datetime", occasion.begins);
        setText(this.link, occasion.title);
        setAttribute(this.link, "href", occasion.url);
        setTextOrHide(this.note, [mark, occasion.note].filter(Boolean).join(" · "));
        setTextOrHide(this.place, occasion.place);
        setAttribute(this.image, "src", occasion.image);
        setAttribute(this.image, "alt", occasion.alt);
        if (hasImages && occasion.image) this.node.append(this.image);
        else this.image.remove();
    }
}

class DaySection {
    constructor(level) {
        this.name = create("time");
        this.list = create("ul", "list");
        // Safari takes a list without bullets for none.
        this.list.setAttribute("role", "list");
        this.node = create("section", "day", create(`h${level}`, "heading", this.name), this.list);
    }
}

class FestivalProgramme extends HTMLElement {
    static observedAttributes = [...FILTERS, "query", "language", "images", "level"];

    #days = new Map();
    #items = new Map();
    #status = create("p", "status");
    #list = create("div", "days");
    #all = createLink();
    #instead = create("slot");
    #request = null;
    #timer = 0;
    #asked = 0;
    // What is shown: of which address, with which ETag, and since when.
    #shown = null;

    constructor() {
        super();
        const root = this.attachShadow({ mode: "open" });
        root.adoptedStyleSheets = [STYLE];
        this.#status.setAttribute("role", "status");
        this.#list.append(create("p", "all", this.#all));
        root.append(create("div", "", this.#status, this.#instead, this.#list));
        this.#list.hidden = true;
    }

    connectedCallback() {
        this.#timer = setInterval(this.#refresh, INTERVAL);
        addEventListener("online", this.#load);
        document.addEventListener("visibilitychange", this.#refresh);
        this.#load();
    }

    disconnectedCallback() {
        clearInterval(this.#timer);
        this.#timer = 0;
        removeEventListener("online", this.#load);
        document.removeEventListener("visibilitychange", this.#refresh);
        this.#request?.abort();
    }

    attributeChangedCallback() {
        if (!this.#timer) return;
        this.#shown = null;
        this.#days.clear();
        this.#load();
    }

    get #language() {
        const code = this.getAttribute("language") ?? this.closest("[lang]")?.lang ?? "";
        return /^en\b/i.test(code) ? "en" : "sv";
    }

    get #words() {
        return WORDS[this.#language];
    }

    get #selection() {
        const query = new URLSearchParams(this.getAttribute("query") ?? "");
        for (const name of FILTERS) {
            const value = this.getAttribute(name);
            if (value !== null) query.append(name, value || (FLAGS.includes(name) ? "true" : ""));
        }
        return query;
    }

    get #address() {
        const query = this.#selection;
        if (!query.has("date")) for (const date of ["now", "upcoming"]) query.append("date", date);
        query.set("language", this.#language);
        query.set("limit", MOST);
        return new URL(`api/events.json?${query}`, SERVICE).href;
    }

    get #everything() {
        const query = this.#selection;
        // The rest of what was chosen one by one is everything.
        query.delete("occation");
        return new URL(this.#words.start + (query.size ? `?${query}` : ""), SERVICE).href;
    }

    #refresh = () => {
        // Browsers delay the timers of pages that nobody sees.
        if (!document.hidden && Date.now() - this.#asked > INTERVAL / 2) this.#load();
    };

    #load = async () => {
        this.#request?.abort();
        const request = (this.#request = new AbortController());
        const url = this.#address;
        this.#asked = Date.now();
        const late = setTimeout(() => this.#showStored(url), PATIENCE);
        try {
            // The browser revalidates what it has by its ETag.
            const response = await fetch(url, { signal: request.signal });
            if (!response.ok) throw new Error(`${response.status} ${url}`);
            await this.#take(url, response);
            await this.#mark(url, request.signal);
        } catch (error) {
            if (request.signal.aborted) return;
            console.warn("festival-programme:", error.message);
            this.#showStored(url);
        } finally {
            clearTimeout(late);
        }
    };

    async #take(url, response) {
        const etag = response.headers.get("ETag");
        const total = Number(response.headers.get("X-Total-Count"));
        if (!etag || this.#shown?.url !== url || this.#shown.etag !== etag) {
            const elements = await response.json();
            const occasions = elements.map((each) => readOccasion(each, this.#language));
            const before = this.#shown?.url === url ? this.#shown : readStored(url);
            this.#show({ url, etag, total, occasions, marks: before?.marks ?? {} });
        }
        this.#shown.at = Date.now();
        setText(this.#status, this.#shown.occasions.length ? "" : this.#words.nothing);
        store(url, this.#shown);
    }

    // The interface's JSON does not have what is urgent. Without an answer, what was said stays.
    async #mark(url, signal) {
        const fetchMarks = async ([name, code, words]) => {
            const address = new URL(url);
            address.searchParams.set(name, code);
            const response = await fetch(address, { signal });
            if (!response.ok) throw new Error(`${response.status} ${address}`);
            return (await response.json()).map((each) => [each.occation.id, words[this.#language]]);
        };
        try {
            const marks = Object.fromEntries((await Promise.all(URGENT.map(fetchMarks))).flat());
            signal.throwIfAborted();
            this.#show({ ...this.#shown, marks });
            store(url, this.#shown);
        } catch (error) {
            if (!signal.aborted) console.warn("festival-programme:", error.message);
        }
    }

    #showStored(url) {
        const known = this.#shown?.url === url;
        const programme = known ? this.#shown : readStored(url);
        if (programme && !known) this.#show({ ...programme, etag: null });
        const { away, kept } = this.#words;
        const since = programme && kept.replace("{}", formatMoment(programme.at, this.#words));
        setText(this.#status, since ? `${away} ${since}` : away);
    }

    #show(programme) {
        const { occasions, total } = programme;
        this.#shown = programme;
        const byDay = groupByDay(occasions);
        for (const node of [this.#list, this.#status]) setAttribute(node, "lang", this.#language);
        const sections = [...byDay].map(([day, held]) => this.#fillDay(day, held));
        arrange(this.#list, [...sections, this.#all.parentNode]);
        this.#forget(byDay, new Set(occasions.map((each) => each.id)));
        const more =
            total > occasions.length ? ` (${this.#words.more.replace("{}", total - occasions.length)})` : "";
        setText(this.#all, this.#words.all + more);
        setAttribute(this.#all, "href", this.#everything);
        setHidden(this.#list, false);
        setHidden(this.#instead, true);
    }

    #fillDay(day, held) {
        if (!this.#days.has(day)) this.#days.set(day, new DaySection(this.#level));
        const { node, name, list } = this.#days.get(day);
        setText(name, formatDay(day, this.#words));
        setAttribute(name, "datetime", day);
        arrange(
            list,
            held.map((occasion) => this.#fillItem(occasion)),
        );
        return node;
    }

    #fillItem(occasion) {
        if (!this.#items.has(occasion.id)) this.#items.set(occasion.id, new OccasionItem());
        const item = this.#items.get(occasion.id);
        const mark = occasion.cancelled ? "" : this.#shown.marks?.[occasion.id];
        item.fill(occasion, mark, this.hasAttribute("images"));
        return item.node;
    }

    #forget(days, ids) {
        for (const day of this.#days.keys()) if (!days.has(day)) this.#days.delete(day);
        for (const id of this.#items.keys()) if (!ids.has(id)) this.#items.delete(id);
    }

    get #level() {
        const level = Number(this.getAttribute("level"));
        return level >= 1 && level <= 6 ? Math.floor(level) : 2;
    }
}

if (!customElements.get("festival-programme")) customElements.define("festival-programme", FestivalProgramme);
