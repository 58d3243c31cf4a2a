// What thunderbird.py asks of Thunderbird: run among its own scripts, without the word before `actions`.
const window = Services.wm.getMostRecentWindow("mail:3pane");
const { FeedUtils } = ChromeUtils.importESModule("resource:///modules/FeedUtils.sys.mjs");
const { cal } = ChromeUtils.importESModule("resource:///modules/calendar/calUtils.sys.mjs");

function sleep(time) {
    return new Promise((resolve) => window.setTimeout(resolve, time));
}

async function waitForFeeds() {
    do {
        await sleep(500);
    } while (FeedUtils.progressNotifier.mNumPendingFeedDownloads > 0);
}

function fetchCalendar() {
    return new Promise((resolve) => {
        const told = ["onStartBatch", "onEndBatch", "onAddItem", "onModifyItem", "onDeleteItem", "onError"];
        const changed = ["onPropertyChanged", "onPropertyDeleting"];
        const observer = {
            ...Object.fromEntries([...told, ...changed].map((each) => [each, () => {}])),
            QueryInterface: ChromeUtils.generateQI(["calIObserver"]),
            onLoad() {
                window.calendar.removeObserver(observer);
                resolve();
            },
        };
        window.calendar.addObserver(observer);
        window.calendar.refresh();
    });
}

function readItem(item) {
    const start = item.occurrence.startDate.getInTimezone(cal.dtz.defaultTimezone);
    const [month, day, hour, minute] = [start.month + 1, start.day, start.hour, start.minute].map((number) =>
        String(number).padStart(2, "0"),
    );
    const title = item.querySelector(".event-name-label").textContent;
    const isStruck = window.getComputedStyle(item).textDecorationLine.includes("line-through");
    return [
        `${start.year}-${month}-${day} ${hour}:${minute} ${title}`,
        isStruck ? "struck" : "",
        item.occurrence.descriptionText ?? "",
    ];
}

export const actions = {
    async subscribe(url) {
        FeedUtils.subscribeToFeed(url, FeedUtils.createRssAccount("Feeds").incomingServer.rootFolder);
        await waitForFeeds();
    },

    /** Return the title of each message, whether it is new, and its source. */
    async readFeed() {
        const [root] = FeedUtils.getAllRssServerRootFolders();
        await FeedUtils.downloadFeed(root, null, false, window.msgWindow);
        await waitForFeeds();
        const seen = [];
        for (const folder of [...root.descendants].filter((each) => FeedUtils.getFeedUrlsInFolder(each))) {
            for (const message of folder.messages) {
                const stream = folder.getMsgInputStream(message, {});
                const source = NetUtil.readInputStreamToString(stream, message.messageSize, {
                    charset: "utf-8",
                });
                seen.push([message.mime2DecodedSubject, !message.isRead, source]);
                message.markRead(true);
            }
        }
        return seen;
    },

    async follow(url) {
        window.calendar = cal.manager.createCalendar("ics", Services.io.newURI(url));
        window.calendar.name = "Festival";
        cal.manager.registerCalendar(window.calendar);
        window.document.getElementById("tabmail").openTab("calendar");
    },

    /** Return what stands in the view of four weeks around an instant. */
    async readCalendar(instant) {
        await fetchCalendar();
        await sleep(500);
        window.switchCalendarView("multiweek", true);
        window.currentView().goToDay(cal.createDateTime(instant));
        await sleep(1500);
        return [...window.document.querySelectorAll("calendar-month-day-box-item")].map(readItem);
    },
};
