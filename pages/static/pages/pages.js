// What pages do beyond HTML; none needs it: stars, sharing, copying, clean addresses, scrolling, offline.
(() => {
"use strict";
const words = document.currentScript.dataset, here = location.pathname + location.search;
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const mine = document.querySelector("main [data-mine]"), shown = mine ? mine.dataset.mine.split(".").filter(Boolean).map(Number) : [];
let isOwn = false;

// --- Stars: the IDs of occasions, kept in this browser
const starred = () => {
  try { return new Set(JSON.parse(localStorage.getItem("my-programme"))); } catch { return new Set(); }
};
const address = ids => words.mine + (ids.size ? "?occation=" + [...ids].sort((a, b) => a - b).join(".") : "");
const keep = ids => {
  try { localStorage.setItem("my-programme", JSON.stringify([...ids])); } catch { /* refused in some private windows */ }
  show();
  tell([address(ids)]);
};
const toast = document.createElement("p");
toast.setAttribute("role", "status");
toast.className = "toast";
const say = text => {
  toast.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { toast.textContent = ""; }, 4000);
};
const star = element => {
  if (element.querySelector(":scope > .star")) return;
  const button = document.createElement("button"), link = element.matches(".o") && element.querySelector("a");
  if (link) button.dataset.path = link.pathname;
  button.type = "button";
  button.className = "star";
  button.dataset.star = element.dataset.o;
  button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m12 3.2 2.7 5.6 6.1.9-4.4 4.3 1 6.1-5.4-2.9-5.4 2.9 1-6.1-4.4-4.3 6.1-.9z"/></svg>';
  if (link) button.setAttribute("aria-label", words.titled.replace("{}", link.textContent));
  else button.append(words.star);
  element.append(button);
};
const show = () => {
  const ids = starred(), hasAll = shown.every(id => ids.has(id));
  for (const each of all(".star")) each.setAttribute("aria-pressed", ids.has(+each.dataset.star));
  for (const link of all(`header nav a[href="${words.mine}"]`)) {
    link.dataset.count = ids.size || "";
    link.setAttribute("aria-label", link.textContent + (ids.size ? ` (${ids.size})` : ""));
  }
  for (const each of all("[data-others]")) each.hidden = isOwn || hasAll;
  for (const each of all("[data-stale]")) each.hidden = !isOwn || here === address(ids);
  for (const each of all("[data-drop]")) each.hidden = !isOwn;
};

// --- Copying and sharing
const copy = async (text, field) => {
  try { await navigator.clipboard.writeText(text); } catch {
    if (!field) return prompt("", text);
    field.select();
    document.execCommand("copy");
  }
};
const share = async url => {
  if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
  await copy(url);
  say(words.shared);
};
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const data = button.dataset, ids = starred();
  if (data.star) {
    if (!ids.delete(+data.star)) tell([data.path || here], ids.add(+data.star));
    keep(ids);
  } else if (data.copy) {
    const field = document.getElementById(data.copy);
    await copy(field.value, field);
    say(words.copied);
  } else if ("share" in data) {
    share(new URL(data.share || here, location).href);
  } else if ("take" in data) {
    keep(new Set([...ids, ...shown]));
    say(words.taken);
  } else if ("drop" in data) {
    keep(new Set(shown));
    location.replace(address(new Set(shown)));
  }
});
addEventListener("storage", show);

// --- Forms: nothing empty in addresses; what [data-live] names shows at once what is found
document.addEventListener("formdata", ({ formData }) => {
  for (const name of new Set(formData.keys())) {
    const values = formData.getAll(name).filter(Boolean);
    formData.delete(name);
    for (const value of values) formData.append(name, value);
  }
});
document.addEventListener("change", async ({ target: { form } }) => {
  if (!form || !form.dataset.live) return;
  const query = new URLSearchParams(new FormData(form)), url = form.latest = form.action + (query.size ? "?" + query : "");
  const answer = await fetch(url).catch(() => null);
  const text = answer && await answer.text();
  if (!text || form.latest !== url) return;
  const page = new DOMParser().parseFromString(text, "text/html"), { name } = document.activeElement;
  for (const id of form.dataset.live.split(" ")) document.getElementById(id).replaceWith(page.getElementById(id));
  // Who was in a list that is replaced stays in it.
  if (document.activeElement === document.body && form[name]) form[name].focus();
  all(".twin").forEach(twin => { twin.href = page.querySelector(".twin").getAttribute("href"); });
  history.replaceState(null, "", url);
  dress();
  say(document.querySelector(".total").textContent);
});

// --- The chosen day, and now, are where one looks
const look = () => {
  const days = document.querySelector("nav.days"), day = days && days.querySelector("[aria-current]");
  if (day) days.scrollLeft = day.offsetLeft - (days.clientWidth - day.clientWidth) / 2;
  const starts = all(".grid .o time").map(time => [Date.parse(time.dateTime), time.closest(".o")]).sort((a, b) => a[0] - b[0]);
  const next = starts.find(([start]) => start >= Date.now());
  if (next && starts[0][0] < Date.now()) next[1].closest(".grid").scrollTop = next[1].offsetTop - 90;
};

// --- True while it lies open: another page is fetched when the clock has changed this one, and on coming back to it
const until = Date.parse(words.until) + Math.random() * 20000, opened = Date.now();
let left = opened;
const renew = () => {
  if (document.hidden || !navigator.onLine || document.activeElement.matches("input, select, textarea")) return;
  location.reload();
};
// Where it has passed already, the device's clock is ahead of ours.
if (until > opened) setInterval(() => Date.now() > until && renew(), 5000);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) left = Date.now();
  else if (Date.now() - left > 60000) renew();
});
addEventListener("pageshow", event => event.persisted && renew());

// --- On paper all of it
addEventListener("beforeprint", () => all("details.earlier").forEach(each => { each.open = true; }));

// --- Offline once visited
const worker = navigator.serviceWorker;
const tell = keep => worker && worker.ready.then(({ active }) => active.postMessage({ keep }));
addEventListener("load", () => {
  if (!worker) return;
  worker.register("/sw.js").catch(() => {});
  const saves = navigator.connection && navigator.connection.saveData;
  tell([here, ...(saves ? [] : all("nav.days li:not(.every) a").map(link => link.pathname + link.search))]);
});

const dress = () => {
  all("[data-o]").forEach(star);
  all("[data-share], [data-copy]").forEach(each => { each.hidden = false; });
  show();
};
if (mine && !shown.length && !location.search && starred().size) location.replace(address(starred()));
isOwn = mine && here === address(starred());
document.body.append(toast);
dress();
look();
})();
