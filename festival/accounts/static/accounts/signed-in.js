// Tells the page with the form that this window has signed in.

new BroadcastChannel("sign-in").postMessage("done");
window.close();
