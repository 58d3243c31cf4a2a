// What is sent without leaving the page: its editor may have been signed out meanwhile.

/**
 * Let the editor sign in on the page if that is so, and renew the tokens of its forms. Resolves to whether it is
 * worth to send again what was refused. Whoever signs people in listens (accounts/sign-in-again.js).
 */
export const signInAgain = () =>
    new Promise((resolve) => {
        const event = new CustomEvent("signed-out", { detail: resolve, cancelable: true });
        if (document.dispatchEvent(event)) {
            resolve(false);
        }
    });
