// The programme as an element of other websites, <festival-programme area="Torget" language="sv">: docs/taking.md.
// Later versions at the same address keep its attributes, parts and properties.

const SERVICE = new URL("../", import.meta.url);
// The service writes the facts that it knows into these lists.
const FILTERS = [
    ...["date", "during", "after", "area", "subarea", "location", "room", "organizer", "type", "spoken"],
    ...["list", "q", "highlighted", "signinterpreted", "occation", "edition", ...[/* facts */]],
];
// Attributes that may stand without a value.
const FLAGS = ["highlighted", "signinterpreted", ...[/* flags */]];
// What nobody may miss, and what many choose by: the parameter, its value and its words.
const URGENT = [/* urgent */];
const CHOICES = [/* choices */];
// Its time zone, and the hour at which its days begin.
const [ZONE, FIRST_HOUR] = [/* clock */];
// The list links to the rest.
const MOST = 200;
const MOST_ASKED = 500;
// Of what is on now, and of what is next.
const FEW = 8;
// Programmes in the website's storage, which has room for little: a page of an area or a day has its own.
const MOST_STORED = 8;
// Milliseconds between requests, and until what was stored is shown while the service is silent.
const INTERVAL = 60_000;
const PATIENCE = 4_000;
const TYPING = 300;
// Views with one day at a time.
const DAILY = ["days", "timetable"];
// Dates that are no days.
const MOMENTS = ["now", "upcoming"];

const WORDS = {
    sv: {
        locale: "sv-SE",
        start: "",
        path: "mitt-program",
        cancelled: "Inställt",
        changed: "Ändrat",
        all: "Hela programmet",
        more: "{} till",
        nothing: "Inget i programmet just nu.",
        away: "Programmet kan inte hämtas just nu.",
        kept: "Så här såg det ut {}.",
        none: "Inget i programmet passar in på det.",
        now: "Just nu",
        long: "Pågår länge",
        next: "Härnäst",
        days: "Dagar",
        search: "Sök i programmet",
        every: "Alla områden",
        area: "Område",
        star: "Spara i mitt program",
        mine: "Mitt program",
    },
    en: {
        locale: "en-GB",
        start: "en/",
        path: "en/my-programme",
        cancelled: "Cancelled",
        changed: "Changed",
        all: "The whole programme",
        more: "{} more",
        nothing: "Nothing in the programme right now.",
        away: "The programme cannot be fetched right now.",
        kept: "This is how it was {}.",
        none: "Nothing in the programme matches this.",
        now: "On now",
        long: "Long-running",
        next: "Next",
        days: "Days",
        search: "Search the programme",
        every: "All areas",
        area: "Area",
        star: "Save in my programme",
        mine: "My programme",
    },
};

const STYLE = `
:host {
    display: block;
    color: var(--festival-ink, inherit);
    font-family: var(--festival-font, inherit);
    overflow-wrap: anywhere;
}
:host([view=timetable]) { width: 100%; }
:host([hidden]), [hidden] { display: none !important; }
[part=heading] { margin: 1.5em 0 0.25em; font: inherit; font-size: 1.125em; }
section:first-child [part=heading] { margin-top: 0; }
[part=heading]::first-letter { text-transform: uppercase; }
ul { margin: 0; padding: 0; list-style: none; }
p { margin: 0; }
li, [part=all], [part=mine] {
    padding: 0.5em 0;
    border-top: 1px solid var(--festival-line, color-mix(in srgb, currentcolor 25%, transparent));
}
li { display: flex; gap: 0.75em; }
li > div { flex: 1; min-width: 0; }
img { flex: none; width: 6em; height: 4em; border-radius: 4px; object-fit: cover; }
[part=times] { margin-inline-end: 0.25em; font-variant-numeric: tabular-nums; }
a { color: var(--festival-accent, var(--link, inherit)); text-decoration: underline 1px; text-underline-offset: 0.16em; }
a:hover { text-decoration-thickness: 2px; }
li a { font-weight: 600; }
[part~=cancelled] a { text-decoration: line-through; }
[part=note] { color: var(--festival-warn, inherit); }
[part=place] { color: var(--festival-quiet, inherit); }
[part=status]:not(:empty) { padding: 0.5em 0; }
[part=heading], [part=times], [part=note], [part=status], [aria-pressed=true] { font-weight: 650; }
i { color: LinkText; }
form, [part=tabs] { display: flex; flex-wrap: wrap; gap: 0.5em; align-items: center; margin-bottom: 0.75em; }
button, input, select {
    min-height: 2.25em;
    margin: 0;
    padding: 0 0.75em;
    border: 1px solid color-mix(in srgb, currentcolor 60%, transparent);
    border-radius: 4px;
    background: none;
    color: inherit;
    font: inherit;
}
[type=search] { flex: 1 1 10em; min-width: 0; }
::placeholder { color: inherit; }
option { background: Canvas; color: CanvasText; }
select { max-width: 100%; }
label { display: flex; gap: 0.4em; align-items: center; }
[type=checkbox] { width: 1.25em; min-height: 1.25em; }
[aria-pressed=true] { box-shadow: inset 0 -0.2em; }
[part=star] { align-self: start; width: 2.25em; margin: -0.25em 0; padding: 0; border: 0; box-shadow: none; font-size: 1.125em; }
.timetable { container-type: inline-size; }
.timetable [part=place] { display: none; }
@container (width > 28em) {
    [part=days] {
        display: grid;
        grid: repeat(calc(var(--rows) + 1), auto) / auto-flow minmax(11em, 1fr);
        column-gap: 1em;
        max-height: 90vh;
        overflow: auto;
    }
    [part=column], [part=column] ul { display: grid; grid-row: 1 / -1; grid-template-rows: subgrid; }
    [part=column] ul { grid-row-start: 2; }
    li { grid-row: var(--row); }
    [part=column] [part=heading] { position: sticky; top: 0; align-self: end; margin: 0; backdrop-filter: blur(9px); }
}
`;

// --- What the service sends, as what is shown and stored

const join = (addresses) => addresses.map(([, url]) => url).join(" ");

async function ask(url, signal) {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`${response.status} ${url}`);
    return response;
}

function parseAddress(text) {
    try {
        const { protocol, href } = new URL(text);
        return ["http:", "https:"].includes(protocol) ? href : "";
    } catch {
        return "";
    }
}

// The festival's time, written as what begins then.
const readClock = () => new Date().toLocaleString("sv-SE", { timeZone: ZONE }).replace(" ", "T");
// By the wall clock, also in the nights when it changes.
const readToday = () =>
    new Date(Date.parse(`${readClock()}Z`) - FIRST_HOUR * 3600e3).toISOString().slice(0, 10);

// The first of days, intervals and words for days; '' without any.
function findFirst(asked) {
    const today = readToday();
    const tomorrow = new Date(Date.parse(today) + 864e5).toISOString().slice(0, 10);
    return (
        asked.map((each) => ({ today, tomorrow })[each.toLowerCase()] ?? each.slice(0, 10)).sort()[0] ?? ""
    );
}

// Of the day that the list is of, the times alone; what is after midnight, or of another day, says its date.
function formatTimes({ date, startTime, timeSpan }, day) {
    return date === day ? timeSpan.slice(timeSpan.indexOf(startTime.slice(0, 5))) : timeSpan;
}

function formatNote({ cancelled, updated, changeInfo }, words) {
    const mark = cancelled ? words.cancelled : updated ? words.changed : "";
    return mark && changeInfo ? `${mark}: ${changeInfo}` : mark;
}

// What began before `first`, the day that is asked for, is listed apart. Where headings are no days, all is of `shown`.
function readOccasion(event, language, [group, , first], shown) {
    const { occation, location, area } = event;
    const day = String(occation.dayID).replace(/^(.*)(..)(..)$/, "$1-$2-$3");
    const isEarlier = day < first;
    // Of what is on now, it ends on a day that the times name.
    const isLong = isEarlier && !(group === "now" && /–[\d:]+$/.test(occation.timeSpan));
    return {
        id: occation.id,
        day,
        begins: `${occation.date}T${occation.startTime}`,
        times: formatTimes(occation, isEarlier ? "" : (shown ?? day)),
        title: event.title,
        url: parseAddress(occation.url[language] ?? occation.url.sv),
        note: formatNote(event, WORDS[language]),
        cancelled: event.cancelled,
        place: location ? location.fullName : area.name,
        group: isLong ? "long" : group,
        image: parseAddress(event.imageUrl),
        alt: event.imageCaption ?? "",
    };
}

// Of which day, at which place, or whether now or next.
const HEADINGS = { timetable: "place", now: "group" };

function groupBy(view, occasions) {
    const name = HEADINGS[view] ?? "day";
    const groups = new Map();
    for (const each of occasions) {
        const key = each.group === "long" ? "long" : each[name];
        groups.set(key, [...(groups.get(key) ?? []), each]);
    }
    return groups;
}

// The row of each occasion in a timetable: what begins in the same hour stands side by side.
function findRows(columns) {
    const rows = new Map();
    let last = 0;
    const hour = ({ begins }) => begins.slice(0, 13);
    for (const each of [...new Set(columns.flat().map(hour))].sort()) {
        const held = columns.map((column) => column.filter((one) => hour(one) === each));
        for (const some of held) some.forEach(({ id }, place) => rows.set(id, last + place + 1));
        last += Math.max(...held.map(({ length }) => length));
    }
    return { rows, last };
}

function formatDay(day, { locale }, length = "long") {
    const date = new Date(`${day}T00:00Z`);
    const year = date.getUTCFullYear() === new Date().getFullYear() ? undefined : "numeric";
    const parts = { weekday: length, day: "numeric", month: length, year, timeZone: "UTC" };
    // English has a comma if there is a year, Swedish full stops in what is short.
    return new Intl.DateTimeFormat(locale, parts).format(date).replace(/[,.]/g, "");
}

function formatMoment(moment, { locale }) {
    const parts = { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" };
    return new Date(moment).toLocaleString(locale, parts);
}

// --- What was shown last, in the website's own storage, which may be full, or refuse

const PREFIX = "festival-programme:";

function read(key) {
    try {
        return JSON.parse(localStorage.getItem(key));
    } catch {
        return null;
    }
}

function write(key, value) {
    try {
        if (key !== STARS) makeRoom(key);
        localStorage.setItem(key, JSON.stringify(value));
    } catch {
        // Then the next visit needs the service.
    }
}

function makeRoom(key) {
    if (localStorage.getItem(key)) return;
    const others = Object.keys(localStorage).filter((each) => each.startsWith(PREFIX));
    const dated = others.map((each) => [read(each)?.at ?? 0, each]);
    const oldest = dated.sort(([one], [other]) => other - one).slice(MOST_STORED - 1);
    for (const [, each] of oldest) localStorage.removeItem(each);
}

// --- Stars: those of My programme on pages of one site, otherwise the website's own, with a link that hands them over

const IS_OURS = location.origin === SERVICE.origin;
const STARS = IS_OURS ? "my-programme" : "festival-programme-stars";

const stars = new (class extends EventTarget {
    // What the frame of the service says.
    #told = null;
    #frame = null;

    get areShared() {
        return IS_OURS || this.#told;
    }

    get ids() {
        return this.#told ?? new Set(read(STARS));
    }

    set ids(ids) {
        write(STARS, [...ids]);
        this.dispatchEvent(new Event("change"));
    }

    toggle(id) {
        const ids = this.ids;
        const change = ids.delete(id) ? "remove" : "add";
        if (change === "add") ids.add(id);
        if (this.#told) this.#tell({ [change]: [id] });
        else this.ids = ids;
    }

    #tell(change) {
        this.#frame.contentWindow.postMessage(change, SERVICE.origin);
    }

    // A browser stores something for all pages of a site. On other sites the frame stays silent.
    share() {
        if (IS_OURS || this.#frame) return;
        const src = new URL("embed/v1.html", SERVICE).href;
        this.#frame = create("iframe", { src, hidden: true, title: WORDS.en.mine });
        addEventListener("message", ({ source, data }) => {
            if (source !== this.#frame.contentWindow || !data?.stars) return;
            const own = this.#told ? [] : [...this.ids];
            this.#told = new Set(data.stars);
            if (own.length) this.#tell({ add: own });
            this.ids = [];
        });
        document.body.append(this.#frame);
    }
})();

// --- Nodes, of which only those that differ are touched

function set(node, text, values = {}) {
    if (text !== null && node.textContent !== text) node.textContent = text;
    for (const [name, value] of Object.entries(values)) {
        // Not all browsers have properties for these.
        const isAria = name.startsWith("aria-");
        if (value === null) node.removeAttribute(name);
        else if (String(isAria ? node.getAttribute(name) : node[name]) === String(value)) continue;
        else if (isAria) node.setAttribute(name, value);
        else node[name] = value;
    }
    return node;
}

function create(name, values, ...children) {
    const node = Object.assign(document.createElement(name), values);
    node.append(...children);
    return node;
}

// Constructed where browsers can, because a website's Content-Security-Policy may forbid style elements.
function dress(root) {
    try {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
        root.adoptedStyleSheets = [sheet];
    } catch {
        root.append(create("style", { textContent: STYLE }));
    }
}

// Scripts may set what a website's policy forbids in attributes.
function setProperty({ style }, name, value) {
    if (style.getPropertyValue(name) !== String(value)) style.setProperty(name, value);
}

function arrange(parent, nodes) {
    const kept = new Set(nodes);
    for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
    nodes.forEach((node, place) => {
        if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null);
    });
}

const createLink = () => create("a", { part: "link", target: "_blank", rel: "noopener", dir: "auto" });
const createButton = (part, value) => create("button", { part, value, type: "button" });

class OccasionItem {
    constructor() {
        this.times = create("time", { part: "times" });
        this.link = createLink();
        this.note = create("p", { part: "note", dir: "auto" });
        this.place = create("p", { part: "place", dir: "auto" });
        const looks = { part: "image", loading: "lazy", referrerPolicy: "no-referrer", alt: "" };
        this.image = create("img", looks);
        const title = create("p", {}, this.times, " ", this.link);
        this.node = create("li", {}, create("div", {}, title, this.note, this.place));
        this.star = null;
    }

    fill({ cancelled, times, begins, title, url, note, place, image, alt }, mark, hasImages) {
        const notes = [mark, note].filter(Boolean).join(" · ");
        set(this.node, null, { part: cancelled ? "occasion cancelled" : "occasion" });
        set(this.times, times, { dateTime: begins });
        set(this.link, title, { href: url || null });
        set(this.note, notes, { hidden: !notes });
        set(this.place, place, { hidden: !place });
        set(this.image, null, { src: image || null, alt });
        if (hasImages && image) this.node.append(this.image);
        else this.image.remove();
    }

    fillStar(id, isOn, { star }) {
        if (!this.star) this.node.append((this.star = createButton("star", id)));
        const label = `${star}: ${this.link.textContent}`;
        set(this.star, isOn ? "★" : "☆", { "aria-pressed": isOn, "aria-label": label });
    }
}

class Section {
    constructor(level, part, isDay) {
        this.name = create(isDay ? "time" : "bdi");
        // Safari takes a list without bullets for none.
        this.list = create("ul", { part: "list", role: "list" });
        const tag = /^[1-6]$/.test(level) ? `h${level}` : "h2";
        this.node = create("section", { part }, create(tag, { part: "heading" }, this.name), this.list);
    }
}

class FestivalProgramme extends HTMLElement {
    static observedAttributes = [
        ...FILTERS,
        ...["query", "language", "images", "level", "view", "search", "filters", "stars", "limit"],
    ];

    #sections = new Map();
    #items = new Map();
    #buttons = new Map();
    // It is sent nowhere.
    #form = create("form", { part: "form", role: "search", method: "dialog", hidden: true });
    #tabs = create("div", { part: "tabs", role: "group", hidden: true });
    #status = create("p", { part: "status", role: "status" });
    #instead = create("slot");
    #list = create("div", { part: "days" });
    #all = createLink();
    #mine = create("p", { part: "mine" }, createLink());
    #default = create("i", { hidden: true });
    #below = create("div", { hidden: true }, this.#list, create("p", { part: "all" }, this.#all));
    #root = create("div");
    #request = null;
    #life = null;
    #asked = 0;
    // Areas with their days, which tabs and choices offer.
    #areas = null;
    #offered = "";
    #chosen = [];
    #picked = "";
    // What is shown: of which addresses, with which ETags, and since when.
    #shown = null;

    constructor() {
        super();
        const root = this.attachShadow({ mode: "open" });
        dress(root);
        this.#root.append(this.#form, this.#tabs, this.#status, this.#instead, this.#below, this.#default);
        root.append(this.#root);
        this.#listen();
    }

    #listen() {
        let typing = 0;
        this.#form.addEventListener("input", () => {
            clearTimeout(typing);
            typing = setTimeout(() => {
                this.#chosen = [...new FormData(this.#form)].filter(([, value]) => value.trim());
                this.#load();
            }, TYPING);
        });
        this.#root.addEventListener("click", ({ target: { part, value } }) => {
            if (part.contains("star")) stars.toggle(Number(value));
            if (!part.contains("tab")) return;
            this.#picked = value;
            this.#load();
        });
    }

    connectedCallback() {
        this.#life = new AbortController();
        const until = { signal: this.#life.signal };
        const timer = setInterval(this.#refresh, INTERVAL);
        until.signal.addEventListener("abort", () => clearInterval(timer));
        addEventListener("online", this.#load, until);
        document.addEventListener("visibilitychange", this.#refresh, until);
        stars.addEventListener("change", this.#fillStars, until);
        this.#load();
    }

    disconnectedCallback() {
        this.#life.abort();
        this.#life = null;
        this.#request.abort();
    }

    attributeChangedCallback() {
        if (!this.#life) return;
        this.#shown = null;
        this.#sections.clear();
        this.#items.clear();
        this.#load();
    }

    get #language() {
        const code = this.getAttribute("language") ?? this.closest("[lang]")?.lang ?? "";
        return /^en\b/i.test(code) ? "en" : "sv";
    }

    get #words() {
        return WORDS[this.#language];
    }

    get #view() {
        const view = this.getAttribute("view");
        // What is searched for may be on any day.
        const isSearched = this.#chosen.some(([name]) => name === "q");
        return view === "now" || (DAILY.includes(view) && !isSearched) ? view : "list";
    }

    get #limit() {
        const limit = Math.floor(Number(this.getAttribute("limit")));
        if (limit >= 1) return Math.min(limit, MOST_ASKED);
        // Of a timetable the whole day, which has no limit.
        return { now: FEW, timetable: 0 }[this.#view] ?? MOST;
    }

    // --- What is asked for: by the website, and by its visitor

    get #given() {
        const query = new URLSearchParams(this.getAttribute("query") ?? "");
        for (const name of FILTERS) {
            const value = this.getAttribute(name);
            if (value !== null) query.append(name, value || (FLAGS.includes(name) ? "true" : ""));
        }
        // On a day is what begins then, and what goes on then.
        const dates = query.getAll("date");
        query.delete("date");
        for (const date of dates)
            query.append(MOMENTS.includes(date.toLowerCase()) ? "date" : "during", date);
        return query;
    }

    get #selection() {
        const query = this.#given;
        for (const [name, value] of this.#chosen) {
            if (name === "area") query.set(name, value);
            else if (name === "q") query.set(name, `${query.get(name) ?? ""} ${value}`.trim());
            else query.append(name, value);
        }
        return query;
    }

    #findAreas(query) {
        const asked = query.getAll("area").map((name) => name.toLowerCase());
        const isAsked = (name) => asked.includes(name?.toLowerCase());
        const areas = this.#areas ?? [];
        return asked.length ? areas.filter((each) => isAsked(each.name) || isAsked(each.fullName)) : areas;
    }

    // Those to come, unless the website names its dates.
    get #days() {
        const query = this.#selection;
        if (!DAILY.includes(this.#view) || query.has("during")) return [];
        const days = [...new Set(this.#findAreas(query).flatMap((area) => area.days))].sort();
        const ahead = days.filter((day) => day >= readToday());
        return ahead.length ? ahead : days;
    }

    get #day() {
        const days = this.#days;
        return days.includes(this.#picked) ? this.#picked : days[0];
    }

    // Each address that is asked, and of what it is in a view of more than one.
    get #addresses() {
        const query = this.#selection;
        const day = this.#day;
        const view = this.#view;
        const isDated = query.has("date") || query.has("during");
        const isAhead = view === "days" ? day === readToday() : !day && !isDated;
        const asked = view === "now" || isAhead ? { now: "now", next: "upcoming" } : { "": "" };
        query.set("language", this.#language);
        return Object.entries(asked).map(([group, moment]) => {
            // What has gone on for long does not count among the rest.
            const limit = group === "now" ? MOST_ASKED : this.#limit;
            if (limit) query.set("limit", limit);
            if (moment || day) query.delete("date");
            if (moment) query.delete("during");
            if (moment) query.set("date", moment);
            else if (day) query.set("during", day);
            const first = group === "now" ? readToday() : findFirst(query.getAll("during"));
            return [group, new URL(`api/events.json?${query}`, SERVICE).href, first];
        });
    }

    get #everything() {
        const query = this.#selection;
        // The rest of what was chosen one by one is everything.
        query.delete("occation");
        if (this.#day) query.set("during", this.#day);
        return new URL(this.#words.start + (String(query) && `?${query}`), SERVICE).href;
    }

    #refresh = () => {
        // Browsers delay the timers of pages that nobody sees.
        if (!document.hidden && Date.now() - this.#asked > INTERVAL / 2) this.#load();
    };

    #load = async () => {
        this.#request?.abort();
        const { signal } = (this.#request = new AbortController());
        this.#asked = Date.now();
        const late = setTimeout(this.#showStored, PATIENCE);
        if (this.hasAttribute("stars")) stars.share();
        try {
            await this.#learn(signal);
            await this.#take(this.#addresses, signal);
        } catch (error) {
            if (signal.aborted) return;
            console.warn("festival-programme:", error.message);
            this.#showStored();
        } finally {
            clearTimeout(late);
        }
    };

    async #learn(signal) {
        const isNeeded = DAILY.includes(this.getAttribute("view")) || this.hasAttribute("filters");
        const edition = this.#given.get("edition");
        const url = new URL(`api/areas.json${edition ? `?edition=${edition}` : ""}`, SERVICE).href;
        this.#areas = isNeeded ? (this.#areas ?? read(PREFIX + url)?.areas) : null;
        this.#offer();
        if (!isNeeded) return;
        const areas = await (await ask(url, signal)).json();
        this.#areas = areas.map(({ name, fullName, days }) => {
            const held = days.filter((day) => day.occationCount);
            return { name, fullName, days: held.map((day) => day.date) };
        });
        write(PREFIX + url, { at: Date.now(), areas: this.#areas });
        this.#offer();
    }

    async #take(addresses, signal) {
        // The browser revalidates what it has by its ETag.
        const responses = await Promise.all(addresses.map(([, each]) => ask(each, signal)));
        const [etags, totals] = ["ETag", "X-Total-Count"].map((name) =>
            responses.map((each) => each.headers.get(name)),
        );
        const [url, etag] = [join(addresses), etags.includes(null) ? null : etags.join()];
        if (!etag || this.#shown?.url !== url || this.#shown.etag !== etag) {
            const found = await Promise.all(responses.map((each) => each.json()));
            const shown = HEADINGS[this.#view] && (this.#day ?? (addresses[0][2] || readToday()));
            const all = found.flatMap((some, place) =>
                some.map((each) => readOccasion(each, this.#language, addresses[place], shown)),
            );
            const occasions = this.#choose(all);
            const before = this.#shown?.url === url ? this.#shown : read(PREFIX + url);
            // How many of one day are ahead nobody says.
            const isOpen = this.#day && addresses[1];
            const total = isOpen ? 0 : totals.reduce((sum, each) => sum + Number(each), 0);
            this.#show({ url, etag, total, occasions, marks: before?.marks ?? {} });
        }
        this.#shown.at = Date.now();
        const { none, nothing } = this.#words;
        const said = this.#shown.occasions.length ? "" : this.#chosen.length ? none : nothing;
        set(this.#status, said);
        write(PREFIX + url, this.#shown);
        await this.#mark(addresses, signal);
    }

    // What begins today and later first, and then what has gone on for long.
    #choose(all) {
        const [limit, chosen] = [this.#limit || Infinity, this.#day];
        const groups = ["", "now", "next", "long"].map((name) => {
            const isShown = ({ group, day }) =>
                group === name && (group !== "next" || day === (chosen ?? day));
            return all.filter(isShown).slice(0, limit);
        });
        return groups.flat().slice(0, this.#view === "now" ? 2 * limit : limit);
    }

    // The interface's JSON does not have what is urgent. Without an answer, what was said stays.
    async #mark(addresses, signal) {
        const fetchMarks = async (url, [name, code, words]) => {
            const found = await (await ask(`${url}&${name}=${code}`, signal)).json();
            return found.map((each) => [each.occation.id, words[this.#language]]);
        };
        try {
            const asked = addresses.flatMap(([, url]) => URGENT.map((each) => fetchMarks(url, each)));
            const marks = Object.fromEntries((await Promise.all(asked)).flat());
            signal.throwIfAborted();
            this.#show({ ...this.#shown, marks });
            write(PREFIX + this.#shown.url, this.#shown);
        } catch (error) {
            if (!signal.aborted) console.warn("festival-programme:", error.message);
        }
    }

    #showStored = () => {
        const url = join(this.#addresses);
        const known = this.#shown?.url === url;
        const programme = known ? this.#shown : read(PREFIX + url);
        if (programme && !known) this.#show({ ...programme, etag: null });
        const { away, kept } = this.#words;
        const since = programme ? ` ${kept.replace("{}", formatMoment(programme.at, this.#words))}` : "";
        set(this.#status, away + since);
    };

    // --- Tabs, the form and the list

    #offer() {
        const given = this.#given;
        const wanted = this.getAttribute("filters")?.split(" ").filter(Boolean);
        const isWanted = (name) => wanted && (!wanted.length || wanted.includes(name));
        const areas = isWanted("area") ? this.#findAreas(given).map(({ name }) => name) : [];
        const facts = CHOICES.filter(([name]) => isWanted(name) && !given.has(name));
        const offered = JSON.stringify([this.#language, this.hasAttribute("search"), areas, facts]);
        if (this.#offered !== offered) {
            this.#offered = offered;
            this.#chosen = [];
            this.#fillForm(areas, facts);
        }
        this.#fillTabs();
    }

    #fillForm(areas, facts) {
        const { search, area, every } = this.#words;
        const controls = facts.map(([name, value, words]) =>
            create("label", {}, create("input", { type: "checkbox", name, value }), words[this.#language]),
        );
        if (areas.length > 1) {
            const options = [new Option(every, ""), ...areas.map((name) => new Option(name))];
            const select = create("select", { name: "area" }, ...options);
            controls.unshift(set(select, null, { "aria-label": area }));
        }
        if (this.hasAttribute("search")) {
            const input = create("input", { type: "search", name: "q", maxLength: 100, placeholder: search });
            controls.unshift(set(input, null, { "aria-label": search }));
        }
        this.#form.replaceChildren(...controls);
        set(this.#form, null, { hidden: !controls.length });
    }

    #fillTabs() {
        const [days, chosen] = [this.#days, this.#day];
        set(this.#tabs, null, { "aria-label": this.#words.days, hidden: days.length < 2 });
        const buttons = days.map((day) => {
            if (!this.#buttons.has(day)) this.#buttons.set(day, createButton("tab", day));
            const name = formatDay(day, this.#words, "short");
            return set(this.#buttons.get(day), name, { "aria-pressed": day === chosen });
        });
        arrange(this.#tabs, buttons);
    }

    #show(programme) {
        const { occasions, total } = programme;
        const [view, words] = [this.#view, this.#words];
        const isNew = this.#shown?.url !== programme.url;
        this.#shown = programme;
        const groups = groupBy(view, occasions);
        set(this.#root, null, { lang: this.#language, className: view });
        const sections = [...groups].map(([name, held]) => this.#fillSection(view, name, held));
        arrange(this.#list, sections);
        if (view === "timetable") {
            const { rows, last } = findRows([...groups.values()]);
            setProperty(this.#list, "--rows", last);
            for (const [id, row] of rows) setProperty(this.#items.get(id).node, "--row", row);
        }
        const left = total - occasions.length;
        const more = left > 0 ? ` (${words.more.replace("{}", left)})` : "";
        set(this.#all, words.all + more, { href: this.#everything });
        set(this.#below, null, { hidden: false });
        set(this.#instead, null, { hidden: true });
        if (isNew && view === "timetable") this.#scroll(occasions);
        this.#fillStars();
        this.#takeLinkColor();
    }

    // To what begins in this hour or next.
    #scroll(occasions) {
        const hour = readClock().slice(0, 13);
        const ahead = occasions.find(({ begins }) => begins >= hour);
        if (!ahead) return;
        const { offsetLeft, offsetTop, parentNode } = this.#items.get(ahead.id).node;
        this.#list.scrollTo(offsetLeft - this.#list.offsetLeft, offsetTop - parentNode.offsetTop);
    }

    #fillSection(view, name, held) {
        const [key, isDay] = [`${view} ${name}`, !HEADINGS[view] && name !== "long"];
        if (!this.#sections.has(key)) {
            const part = view === "timetable" ? "column" : "day";
            this.#sections.set(key, new Section(this.getAttribute("level"), part, isDay));
        }
        const section = this.#sections.get(key);
        if (isDay) set(section.name, formatDay(name, this.#words), { dateTime: name });
        else set(section.name, this.#words[name] ?? name);
        const items = held.map((occasion) => this.#fillItem(occasion));
        arrange(section.list, items);
        return section.node;
    }

    #fillItem(occasion) {
        if (!this.#items.has(occasion.id)) this.#items.set(occasion.id, new OccasionItem());
        const item = this.#items.get(occasion.id);
        const mark = occasion.cancelled ? "" : this.#shown.marks?.[occasion.id];
        item.fill(occasion, mark, this.hasAttribute("images"));
        return item.node;
    }

    #fillStars = () => {
        const isAsked = this.hasAttribute("stars");
        const [ids, { mine, path }] = [stars.ids, this.#words];
        const query = stars.areShared ? "" : `?occation=${[...ids].join(".")}`;
        const href = new URL(path + query, SERVICE).href;
        set(this.#mine.firstChild, `${mine} (${ids.size})`, { href });
        if (isAsked && ids.size) this.#below.append(this.#mine);
        else this.#mine.remove();
        if (isAsked) for (const [id, item] of this.#items) item.fillStar(id, ids.has(id), this.#words);
    };

    // That of the website's links, unless they are as the browser makes them.
    #takeLinkColor() {
        const own = this.querySelector("a[href]");
        const link = own ?? this.appendChild(create("a", { href: SERVICE.href }));
        const { color } = getComputedStyle(link);
        if (!own) link.remove();
        setProperty(this.#root, "--link", color === getComputedStyle(this.#default).color ? "" : color);
    }
}

if (!customElements.get("festival-programme")) customElements.define("festival-programme", FestivalProgramme);
