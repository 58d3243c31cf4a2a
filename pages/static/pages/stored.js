// What the stored programme says where no page of it is stored (showStored), and what is near (showNear).

import { read } from "./storage.js";

const DOCUMENT = "/api/programme";
const HOUR = 3600e3;
const MAX_NEAR = 20;
const language = document.documentElement.lang === "en" ? "en" : "sv";
const locale = { sv: "sv-SE", en: "en-GB" }[language];
const QUOTED = { sv: "”{}”", en: "“{}”" }[language];
const START = { sv: "/", en: "/en/" }[language];
const OCCASION = { sv: "/tillfalle/", en: "/en/occasion/" }[language];
// By the first part of a path, the parameter that selects the same as a number after it.
const SELECTED = {
    ...{ plats: "location", place: "location", lista: "list", list: "list" },
    ...{ tillfalle: "occation", occasion: "occation" },
};
const MINE = ["mitt-program", "my-programme"];
const ANSWERED = [undefined, "utan-nat", "offline", ...MINE];

class Html extends String {}

const LITERAL = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };
const write = (value) =>
    value instanceof Html ? value : String(value || "").replace(/[&<"]/g, (each) => LITERAL[each]);
const html = (strings, ...values) =>
    new Html(String.raw({ raw: strings }, ...values.map((each) => [each].flat().map(write).join(""))));

const within = (text) => text?.[language] ?? text?.sv ?? text?.en ?? "";
const clock = (moment) => moment.slice(11, 16);
const format = (day, style) =>
    new Date(`${day}T12:00Z`).toLocaleDateString(locale, { ...style, timeZone: "UTC" });
const nameDay = (day) => format(day, { weekday: "long", day: "numeric", month: "long" });
// As feeds/wording.py has them, not as browsers.
const shorten = (day, part) => format(day, { [part]: "long" }).slice(0, 3);
const nameShortly = (day) => `${shorten(day, "weekday")} ${+day.slice(8)} ${shorten(day, "month")}`;

// --- The programme, whose parts name each other by ID

async function readProgramme(stored) {
    const response = stored ?? (await fetch(DOCUMENT));
    if (!response.ok) throw new Error(response.statusText);
    const programme = await response.json();
    const by = (name) => new Map(programme[name].map((each) => [each.id ?? each.code, each]));
    const [areas, subAreas, locations, rooms, organizers, types, languages, events] = [
        ...["areas", "subAreas", "locations", "rooms", "organizers", "types", "languages", "events"].map(by),
    ];
    for (const each of programme.occasions) {
        const event = events.get(each.eventID);
        const [venue, room] = [locations.get(each.locationID), rooms.get(each.roomID)];
        Object.assign(each, {
            event,
            venue,
            room,
            start: Date.parse(each.startsAt),
            end: Date.parse(each.endsAt),
            day: String(each.dayID).replace(/(....)(..)(..)/, "$1-$2-$3"),
            place: [venue?.name, room?.name].filter(Boolean).join(", "),
            area: areas.get(event.areaID),
            subArea: subAreas.get(event.subAreaID),
            organizer: organizers.get(event.organizerID),
            types: event.typeIDs.map((id) => types.get(id)),
            spoken: languages.get(event.language),
        });
    }
    return programme;
}

// By the wall clock, also in the nights when it changes.
function findToday({ dayBegins, timeZone }) {
    const local = new Date().toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
    return new Date(Date.parse(`${local}Z`) - parseInt(dayBegins, 10) * HOUR).toISOString().slice(0, 10);
}

function groupBy(occasions, name) {
    const groups = new Map();
    for (const each of occasions) {
        const key = name(each);
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(each);
    }
    return [...groups];
}

// --- What an address asks for

// As feeds/facts.py and feeds/index.py have them.
const AGES = { children: "0-12", families: "0-", youth: "13-19", adults: "18-", seniors: "65-" };
const NIGHT_ENDS = "06:00";

/** Return what the page's address asks for, and of which kind of page; null where nothing is known of it. */
function readAddress() {
    const query = new URLSearchParams(location.search);
    const [page, id] = location.pathname
        .replace(/^\/en\b/, "")
        .split("/")
        .filter(Boolean);
    if (page in SELECTED && id) query.set(SELECTED[page], id);
    else if (!ANSWERED.includes(page)) return null;
    const stars = read("my-programme") ?? [];
    if (MINE.includes(page) && !query.has("occation")) query.set("occation", stars.join(".") || "0");
    return { query, page, id };
}

const fold = (name) => String(name).normalize("NFKC").trim().toLowerCase();

function isNamed(thing, values) {
    if (!thing) return false;
    const { id, code, name, title, fullName } = thing;
    const names = [name, title].flatMap((each) => (each?.sv || each?.en ? [each.sv, each.en] : [each]));
    return [id, code, fullName, ...names].some((each) => each && values.includes(fold(each)));
}

const NAMED = {
    area: (each) => [each.area],
    subarea: (each) => [each.subArea ?? { name: "none" }],
    location: (each) => [each.venue],
    room: (each) => [each.room],
    organizer: (each) => [each.organizer],
    type: (each) => each.types,
    spoken: (each) => [each.spoken],
};

const addDay = (day) => new Date(Date.parse(day) + 24 * HOUR).toISOString().slice(0, 10);
const findDays = (date, today) => (({ today, tomorrow: addDay(today) })[date] ?? date).split("/");

// The first and last days that are asked for, in order.
const listDays = (query, today) =>
    [...query.getAll("date"), ...query.getAll("during")]
        .flatMap((each) => findDays(each, today))
        .filter((each) => each && each < "a")
        .sort();

// As feeds/index.py has it: what ends in the night after its evening belongs to that.
function isOn(occasion, date, today, dayBegins) {
    const now = Date.now();
    if (date === "now") return occasion.start <= now && now < occasion.end;
    if (date === "upcoming") return occasion.start > now;
    const [first, last = first] = findDays(date, today);
    const end = occasion.endsAt.slice(0, 16);
    const isLong = occasion.end - occasion.start >= 24 * HOUR;
    if (occasion.day >= first) return occasion.day <= last;
    return end > `${first}T${dayBegins}` && (isLong || end > `${first}T${NIGHT_ENDS}`);
}

function isAfter({ day, startsAt, endsAt }, hour, first, dayBegins) {
    const [time, listed] = [`${hour.padStart(2, "0")}:00`, day < first ? first : day];
    const moment = `${time < dayBegins ? addDay(listed) : listed}T${time}`;
    return startsAt.slice(0, 16) >= moment || endsAt.slice(0, 16) > moment;
}

function isStated(fact, values, { facts }) {
    const stated = facts[fact] ?? [];
    if (fact === "access") return values.every((each) => stated.includes(each));
    if (fact !== "age") return values.some((each) => stated.includes(each));
    const meant = (facts.audience ?? []).map((each) => AGES[each]).filter(Boolean);
    const ranges = (stated.length ? stated : meant).map((each) => each.split("-").map(Number));
    return values.some((age) => ranges.some(([from, to]) => from <= age && age <= (to || Infinity)));
}

const foldText = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

// Its letters as they are written, without the stems and the near spellings of feeds/search.py.
function listTexts({ event, area, subArea, organizer, venue, place, types, spoken }) {
    const named = [area, subArea, organizer, spoken, ...types].flatMap((each) => [
        each?.name,
        each?.fullName,
    ]);
    const texts = [event.title, event.intro, event.description, place, venue?.address, ...named];
    const written = texts.flatMap((each) => (typeof each === "object" ? Object.values(each ?? {}) : each));
    return foldText(written.filter(Boolean).join("\n"));
}

function* buildTests({ lists, festival: { dayBegins } }, query, today) {
    const asked = (name) => query.getAll(name).filter(Boolean);
    const test = (name, build) => (asked(name).length ? [build(asked(name))] : []);
    for (const [name, bearers] of Object.entries(NAMED))
        yield* test(name, (values) => (each) => bearers(each).some((one) => isNamed(one, values.map(fold))));
    for (const fact of ["audience", "free", "booking", "access", "age"])
        yield* test(fact, (values) => (each) => isStated(fact, values, each));
    yield* test("highlighted", () => (each) => each.event.highlighted);
    yield* test("signinterpreted", () => (each) => each.facts.access?.includes("sign-language"));
    const dates = [...asked("date"), ...asked("during")];
    const [first] = listDays(query, today);
    if (dates.length) yield (each) => dates.some((date) => isOn(each, date, today, dayBegins));
    yield* test("after", (hours) => (each) => hours.some((hour) => isAfter(each, hour, first, dayBegins)));
    const isOneOf = (ids) => (each) => ids.includes(each.id);
    const listed = (values) => lists.filter((one) => isNamed(one, values.map(fold)));
    yield* test("list", (values) => isOneOf(listed(values).flatMap((one) => one.occasionIDs)));
    yield* test("q", (values) => {
        const wanted = values.map((text) => foldText(text).split(/\s+/));
        return (each) => wanted.some((words) => words.every((word) => listTexts(each).includes(word)));
    });
    yield* test("occation", (values) => isOneOf(values.flatMap((one) => one.split(".")).map(Number)));
}

function find({ occasions, lists, festival }, query) {
    const tests = [...buildTests({ lists, festival }, query, findToday(festival))];
    return occasions.filter((each) => tests.every((test) => test(each)));
}

// --- Rows and days, as pages have them

// Of short ones, the date is said where it does not stand above, as after midnight.
function formatTimes({ startsAt, endsAt, start, end, day }, above = day) {
    const isLong = end - start >= 24 * HOUR;
    const name = (moment, isSaid) => (isSaid ? `${nameShortly(moment.slice(0, 10))} ` : "");
    const first = name(startsAt, isLong || startsAt.slice(0, 10) !== above);
    return `${first}${clock(startsAt)}–${name(endsAt, isLong)}${clock(endsAt)}`;
}

const writeRow = (each, words, above, distance) => html`
    <li class="o a${each.area.id} ${each.cancelled && "off"}" data-o="${each.id}">
        <a href="${OCCASION}${each.id}" dir="auto">${each.event.title}</a>
        ${each.cancelled && html`<strong class="mark cancelled">${words.cancelled}</strong>`}
        <p>
            ${distance && html`<b>${distance}</b>`}
            <time datetime="${each.startsAt}">${formatTimes(each, above)}</time>
            <bdi>${each.place || each.area.name}</bdi> <span>${within(each.types[0].name)}</span>
        </p>
    </li>
`;

function writeDay(occasions, words, day) {
    const slots = groupBy(occasions, (each) => clock(each.startsAt));
    return html`
        <ol class="slots">
            ${slots.map(
                ([time, group]) =>
                    html`<li class="slot">
                        <span class="clock" aria-hidden="true">${time}</span>
                        <ol>
                            ${group.map((each) => writeRow(each, words, day))}
                        </ol>
                    </li>`,
            )}
        </ol>
    `;
}

const writeTab = (day, shown) => html`
    <li>
        <a href="${START}?during=${day}" ${day === shown && html`aria-current="date"`}>
            <span class="weekday">${shorten(day, "weekday")}</span> <b>${+day.slice(8)}</b>
            <span>${shorten(day, "month")}</span>
        </a>
    </li>
`;

function writeList(found, days, [first, shown], heading, text, words) {
    const begun = [...found].sort((one, other) => (one.day < first) - (other.day < first));
    const name = ({ day }) => (day < first ? first : day);
    const byDay = groupBy(begun, name);
    return html`
        <nav class="days" aria-label="${words.days}">
            <ol>
                ${days.map((day) => writeTab(day, shown))}
            </ol>
        </nav>
        <search>
            <form action="${START}" class="filters">
                <p class="search">
                    <input
                        type="search"
                        name="q"
                        value="${text}"
                        aria-label="${words.find}"
                        maxlength="100"
                    />
                    <button type="submit">${words.find}</button>
                </p>
            </form>
        </search>
        <h1>${heading[0].toUpperCase()}${heading.slice(1)}</h1>
        <p class="size">${words.count.replace("{}", found.length)}</p>
        ${text && html`<p>${words.plain}</p>`}
        ${
            !found.length &&
            html`<p class="notice">${text ? words.nothing.replace("{}", text) : words.empty}</p>`
        }
        ${byDay.map(
            ([day, group]) => html`
                ${day !== shown && html`<h2 class="day">${nameDay(day)}</h2>`}
                <div>${writeDay(group, words, day)}</div>
            `,
        )}
    `;
}

function writeOccasion(occasion, words) {
    const { event, day, place, area, cancelled, changeNote, startsAt } = occasion;
    const date = startsAt.slice(0, 10);
    const times = formatTimes(occasion, "").slice(nameShortly(date).length + 1);
    const parts = [event.intro, event.description].map((text) => within(text).split(/\n\s*\n/));
    const [intro, description] = parts.map((part) => part.map((each) => html`<p>${each}</p>`));
    return html`
        <h1 dir="auto">${event.title}</h1>
        <p class="when">
            <a href="${START}?during=${day}#kl-${startsAt.slice(11, 13)}">${nameDay(date)}</a> ${times},
            <bdi>${place || area.name}</bdi>
        </p>
        ${cancelled && html`<p class="notice cancelled">${words.cancelled}. ${within(changeNote)}</p>`}
        <div class="intro" dir="auto">${intro}</div>
        <div class="description" dir="auto">${description}</div>
    `;
}

// --- Offline

/** Show what the stored programme holds of what the address asks for; nothing where it cannot answer. */
export async function showStored(element) {
    const words = element.dataset;
    const stored = await caches.match(DOCUMENT);
    const address = readAddress();
    if (!stored || !address) return;
    const { query, page, id } = address;
    const programme = await readProgramme(stored.clone());
    if ((query.get("edition") ?? programme.edition) !== programme.edition) return;

    const days = [...new Set(programme.occasions.map((each) => each.day))].sort();
    const today = findToday(programme.festival);
    const texts = query.getAll("q").filter(Boolean);
    if (
        !texts.length &&
        !["date", "during", "occation", "days", ...Object.values(SELECTED)].some((each) => query.has(each))
    )
        query.set("during", days.find((day) => day >= today) ?? days.at(-1));
    const found = find(programme, query);
    // Of what is searched for, what is to come first.
    if (texts.length) found.sort((one, other) => (one.day < today) - (other.day < today));
    const [first, ...further] = listDays(query, today);
    // The day that the heading names: the only one.
    const shown = further.every((each) => each === first) ? (first ?? "") : "";
    const named = [...query].filter(([name]) => name in NAMED);
    const list = programme.lists.find((each) => page in SELECTED && String(each.id) === id);
    const one = list ? within(list.title) : found[0]?.venue?.name;
    const names = page in SELECTED ? [one] : named.map(([, value]) => value);
    const heading = MINE.includes(page)
        ? words.own
        : [shown && nameDay(shown), ...names].filter(Boolean).join(", ") || words.all;
    const when = new Date(+stored.headers.get("x-kept-at")).toLocaleString(locale, {
        ...{ weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" },
    });
    const isOne = SELECTED[page] === "occation" && found.length;
    const title = isOne
        ? found[0].event.title
        : [heading, ...texts.map((each) => QUOTED.replace("{}", each))].join(", ");
    document.title = document.title.replace(element.querySelector("h1").textContent, () => title);
    element.innerHTML = html`
        <p class="notice offline" role="status">${words.kept.replace("{}", when)}</p>
        ${
            isOne
                ? writeOccasion(found[0], words)
                : writeList(found, days, [first, shown], heading, texts[0], words)
        }
    `;
    // What is estimated of what is out of sight (pages.css).
    for (const each of element.querySelectorAll(".slots")) {
        each.style.setProperty("--r", found.length / each.children.length);
        each.style.setProperty("--h", (4 * found.length) / each.children.length);
    }
    const near = document.querySelector("[data-near]");
    if (!programme.locations.some((each) => each.latitude !== null)) near.remove();
    document.dispatchEvent(new Event("rows"));
}

// --- Near

let position = null;

function measure({ latitude, longitude }, { coords }) {
    const radians = Math.PI / 180;
    const across = (longitude - coords.longitude) * Math.cos(((latitude + coords.latitude) / 2) * radians);
    return Math.hypot(latitude - coords.latitude, across) * radians * 6371e3;
}

const formatDistance = (metres) =>
    metres < 1000
        ? `${Math.ceil(metres / 10) * 10} m`
        : `${(metres / 1000).toLocaleString(locale, { maximumFractionDigits: 1 })} km`;

/** Show what is on now and in the next hours, of what the page lists, by its distance. The position stays on the phone. */
export async function showNear(button) {
    const words = button.dataset;
    const panel = document.getElementById("near");
    try {
        position ??= await new Promise((...ends) =>
            navigator.geolocation.getCurrentPosition(...ends, { timeout: 20000, maximumAge: 60000 }),
        );
    } catch ({ code }) {
        panel.innerHTML = html`<p class="notice">${code === 1 ? words.refused : words.unknown}</p>`;
        return;
    }
    const programme = await readProgramme(await caches.match(DOCUMENT).catch(() => null));
    const query = readAddress()?.query ?? new URLSearchParams();
    for (const name of ["date", "during"]) query.delete(name);
    const now = Date.now();
    const near = find(programme, query)
        .filter(
            ({ cancelled, venue, start, end }) =>
                venue?.latitude && !cancelled && end > now && start <= now + 2 * HOUR,
        )
        .map((each) => [measure(each.venue, position), each])
        .sort(([one], [other]) => one - other)
        .slice(0, MAX_NEAR);
    const rows = near.map(([metres, each]) => writeRow(each, words, each.day, formatDistance(metres)));
    panel.innerHTML = rows.length
        ? html`<ol class="cards">
              ${rows}
          </ol>`
        : html`<p class="notice">${words.none}</p>`;
    document.dispatchEvent(new Event("rows"));
}
