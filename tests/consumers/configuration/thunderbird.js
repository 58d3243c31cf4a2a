// Thunderbird's preferences: it asks nobody anything, and is driven from outside.
user_pref("marionette.port", PORT);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.rights.version", 1);
user_pref("mailnews.start_page.enabled", false);
user_pref("calendar.timezone.useSystemTimezone", false);
user_pref("calendar.timezone.local", "Europe/Stockholm");
