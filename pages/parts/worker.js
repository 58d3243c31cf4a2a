// Keeps pages for when the network is away. It never touches the back office or the API.
// SETTINGS comes first: the static files of this version, addresses and words.
"use strict";

const PAGES = "pages-1", PARTS = "parts-1";
// A phone's share: the oldest go first. Stylesheets of earlier versions stay for the pages that name them.
const MOST_PAGES = 80, MOST_PARTS = 24;
// For so long the network may be silent where a page is kept.
const PATIENCE = 4000;
// What was kept within this time is not fetched ahead again.
const FRESH = 15 * 60 * 1000;
const KEPT_AT = "x-kept-at";
const NOT_OURS = /^\/(admin|api|media|sw\.js)(\/|$)/;
const OCCASION = /^\/(tillfalle|en\/occasion)\/\d+$/;
const FRAMED = /^\/(lista|en\/list)$/;

self.addEventListener("install", event => {
  const pages = Object.values(SETTINGS.offline);
  event.waitUntil(Promise.all([
    caches.open(PARTS).then(cache => cache.addAll(SETTINGS.parts.map(url => new Request(url, { cache: "no-cache" })))),
    ...pages.map(url => fetch(url).then(answer => keep(url, answer))),
  ]).then(() => self.skipWaiting()));
});

self.addEventListener("activate", event => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (![PAGES, PARTS].includes(name)) await caches.delete(name);
    await trim(PARTS, MOST_PARTS);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", event => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || NOT_OURS.test(url.pathname)) return;
  if (request.mode === "navigate" && !FRAMED.test(url.pathname)) event.respondWith(page(event, url));
  else if (url.pathname.startsWith("/static/pages/")) event.respondWith(part(request));
});

// One after the other, so that the last wish is what stays.
let wishes = Promise.resolve();
self.addEventListener("message", event => {
  const wanted = (event.data && event.data.keep) || [];
  wishes = wishes.then(() => ahead(wanted.map(path => new URL(path, location.origin)).filter(isPage)));
  event.waitUntil(wishes);
});

const isPage = url => url.origin === location.origin && !NOT_OURS.test(url.pathname);
const key = url => url.pathname + url.search;

// Pages: what the network says; what was kept where it says nothing in time.
async function page(event, url) {
  // Trackers change no occasion's page, and of my programme there is one.
  const ignoreSearch = SETTINGS.mine.includes(url.pathname) || OCCASION.test(url.pathname);
  const kept = await (await caches.open(PAGES)).match(key(url), { ignoreSearch });
  const asked = fetch(event.request);
  const stored = asked.then(answer => keep(key(url), answer.clone())).catch(() => {});
  event.waitUntil(stored);
  try {
    if (!kept) return await asked;
    return await Promise.race([asked, new Promise((_, late) => setTimeout(late, PATIENCE))]);
  } catch {
    return kept ? told(kept, url) : away(url);
  }
}

async function away(url) {
  const cache = await caches.open(PAGES);
  const language = url.pathname.startsWith("/en/") ? "en" : "sv";
  return (await cache.match(SETTINGS.offline[language])) || Response.error();
}

// A kept page says in words that it is one, and of when.
async function told(kept, url) {
  const language = url.pathname.startsWith("/en/") ? "en" : "sv";
  const when = new Date(+kept.headers.get(KEPT_AT)).toLocaleString(language === "en" ? "en-GB" : "sv-SE", {
    weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit",
  });
  const notice = `<p class="notice offline" role="status">${SETTINGS.kept[language].replace("{}", when)}</p>`;
  const text = (await kept.text()).replace(/<main[^>]*>/, main => main + notice);
  return new Response(text, { headers: kept.headers });
}

async function keep(path, answer) {
  if (answer.status !== 200 || answer.redirected || !/^text\/html/.test(answer.headers.get("Content-Type"))) return;
  const headers = new Headers(answer.headers);
  headers.set(KEPT_AT, Date.now());
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const cache = await caches.open(PAGES);
  const body = await answer.blob();
  // What is kept anew is the newest. Of my programme there is one.
  const pathname = path.split("?")[0];
  if (SETTINGS.mine.includes(pathname)) await cache.delete(pathname, { ignoreSearch: true });
  await cache.delete(path);
  await cache.put(path, new Response(body, { headers }));
  await trim(PAGES, MOST_PAGES, Object.values(SETTINGS.offline));
}

// The days, one after the other, so that what somebody waits for comes first.
async function ahead(urls) {
  const cache = await caches.open(PAGES);
  for (const url of urls.slice(0, MOST_PAGES / 2)) {
    const kept = await cache.match(key(url));
    if (kept && Date.now() - kept.headers.get(KEPT_AT) < FRESH) continue;
    try { await keep(key(url), await fetch(key(url))); } catch { return; }
  }
}

// Named by their content, parts never change; under plain names (in development) the network goes first.
async function part(request) {
  const cache = await caches.open(PARTS);
  const kept = await cache.match(request);
  if (kept && SETTINGS.named_by_content) return kept;
  try {
    const answer = await fetch(request);
    if (answer.status === 200) await cache.put(request, answer.clone());
    return answer;
  } catch {
    return kept || Response.error();
  }
}

async function trim(name, most, spared = []) {
  const cache = await caches.open(name);
  const keys = (await cache.keys()).filter(each => !spared.includes(new URL(each.url).pathname));
  for (const each of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(each);
}
