// Says who else has the form open, and says so to them, while the page is seen.

const INTERVAL = 15_000;

function watch(place, token) {
    let timer = 0;

    async function tell() {
        if (document.hidden) {
            return;
        }
        clearTimeout(timer);
        timer = setTimeout(tell, INTERVAL);
        // An open window is no use of a session (festival/accounts/middleware.py).
        const headers = { "X-In-Background": "1", "X-CSRFToken": token.value };
        try {
            // The page for signing in, to which who is signed out is sent, could end a session that begins meanwhile.
            const answer = await fetch(place.dataset.url, { method: "POST", headers, redirect: "manual" });
            // Without an answer, what was said stays; who is signed out is told nothing.
            if (answer.status >= 500) return;
            const { text } = answer.ok ? await answer.json() : { text: "" };
            if (place.textContent !== text) {
                place.textContent = text;
            }
        } catch {
            // It is asked again.
        }
    }

    document.addEventListener("visibilitychange", tell);
    window.addEventListener("pagehide", () => {
        const body = new FormData();
        body.set(token.name, token.value);
        body.set("leave", "1");
        navigator.sendBeacon(place.dataset.url, body);
    });
    tell();
}

const place = document.getElementById("presence");
if (place) {
    watch(place, place.closest("form").elements.csrfmiddlewaretoken);
}
