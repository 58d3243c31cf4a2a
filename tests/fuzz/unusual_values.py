"""Values, paths and headers that have broken services before, for hostile requests."""

from feeds.formats import FORMATS
from feeds.selection import DateKeyword
from programme.api.filters import EventFilterSet, ProgrammeFilterSet

_FORMS = (EventFilterSet.get_form_class(), ProgrammeFilterSet.get_form_class())
PARAMETERS = (*dict.fromkeys(name for form in _FORMS for name in form.base_fields), "format")
EXTENSIONS = tuple(each.extension for each in FORMATS)
MEDIA_TYPES = tuple(dict.fromkeys(media_type for each in FORMATS for media_type in each.media_types))

# As in a query string, percent-encoded or not.
VALUES = (
    *(moment.value for moment in DateKeyword),
    *("TODAY", "%20now%20", "toda%C4%B1", "upcom%C4%B0ng", "none", "NONE", "null", "nan", "true", "on"),
    *("0", "no", "sv", "EN", "en-GB", "sv-" + "x-" * 2000, "en-", "fi", "*", "sv,en", "%C3%9F", "%C4%B0"),
    *("%EF%AC%81", "", "%00", "x%00y", "%01", "%0a", "%0d%0a", "%1b", "%7f", "%c2%85", "%e2%80%a8"),
    *("%e2%80%8b", "%ef%bb%bf", "%ff%fe", "%c0%80", "%ed%a0%80", "%ed%b0%80", "%ed%a0%bd%ed%b8%80"),
    *("%f4%90%80%80", "%ef%bf%be", "%e2%28", "%", "%%", "%2", "%zz", "%25", "%u0041", "+", "%2b", "%20"),
    *(";", "%26", "%3d", "=", "==", "a=b", "?", "/", "\\", "'", '"', "`", "<x>", "]]>", "[b]", "[/url]"),
    *("{{7*7}}", "{%", "${x}", "%s%n", "../../etc/passwd", "\\N", "'%20OR%201=1--", "1;DROP%20TABLE%20x"),
    *("-1", "1e9", "0x1", "00000", "9" * 4000, "%D9%A1", "%F0%9F%8E%B7", "2026-07-29"),
    *("2026-07-29/2026-07-31", "0001-01-01", "9999-12-31", "0001-01-01/9999-12-31", "0000-01-01"),
    *("2026-02-30", "2026-7-29", "2026-07-29/", "/2026-07-29", "2026-07-31/2026-07-29", "//"),
    *("2026-07-29T00:00", "2026-07-29/2026-07-30/2026-07-31", "99999-01-01", "-2026-07-29", "+2026-07-29"),
    *("2026-W30", "20260729", "%D9%A2%D9%A0%D9%A2%D9%A6-%D9%A0%D9%A7-%D9%A2%D9%A9"),
    *("2026%E2%88%9207%E2%88%9229", "2026-07-29%00"),
    # Instants, a page, and what other parameters than dates take.
    *(
        *("1970-01-01T00:00:00Z", "2026-07-29T12:00:00%2B02:00", "2026-07-29T12:00:00+02:00"),
        "9999-12-31T23:59:59Z",
    ),
    *(
        *("2026-07-29T24:00:00Z", "2026-07-29T12:00:00%2B99:99", "0001-01-01T00:00:00%2B14:00"),
        "2026-07-29T12:00:60Z",
    ),
    *("50", "1000", "1001", "intro", "INTRO", "show", "1.2.3", "1,2", "1..2"),
)
# Pieces of long values: combining marks, characters that grow when folded or decomposed, spaces.
PIECES = (
    *("a", "%", "%20", "+", "%00", "%cc%81", "%cc%95%cc%96", "%c3%9f", "%c4%b0", "%ce%90", "%0a"),
    *("%ef%b7%ba", "%e2%80%8b", "%f0%9f%8e%b7", "%ff", "-", "0", "a-", "[", "%5b", "/", "2026-07-29/", "%26"),
    *("\\", '"'),
)
# Parameter names besides the API's; the escaped ones are the API's.
NAMES = (
    *("", "area[]", "area[0]", "area.x", "AREA", "area%00", "area%20", "%61rea", "d%61te", "page", "limit"),
    *("q", "utm_source", "__proto__", "area__name", "callback", "debug", "_method", "csrfmiddlewaretoken"),
    *("%ff", "%"),
)

PATHS = (
    *("/api/events.json.json", "/api/events%20", "/api/events.json%20", "/api/events.JSON", "/api/events."),
    *("/api", "/api/events//", "//api/events", "/api//events", "/api/./events", "/api/events/../areas"),
    *("/api/..%2fadmin", "/api/%65vents", "/api/events%2ejson", "/api/events%2fjson", "/api/events%00"),
    *("/api/events.json%00", "/api/events%0a", "/api/events.json%0a", "/api/events.%0d%0aX:%20y"),
    *("/api/events;x=1", "/api/events.ics;v", "/api/events.%ff", "/api/%ff", "/api/%ed%a0%80", "/api/%"),
    *("/api/%zz", "/api/ev%C3%A9nts", "/api/EVENTS", "/api/areas.ics", "/api/areas.json/", "/api/areas/1"),
    *("/api/events/1", "/api/events.qx1/x", "/api/", "/api/x", "/API/events", "/%61pi/events"),
    *("/api\\events", "/api/events.../", "/api/events.rss-wp-", "/api/events..json"),
    *("/api/programme.ics", "/api/programme/events", "/api/program", "/api/changes.atom", "/api/schema.json"),
    *("/api/occations/1", "/api/occations/999999999999999999", "/api/occations/0.ics", "/api/occations/x"),
    *("/api/events." + "x" * 8000, "/api/" + "a/" * 8000, "/api/" + "../" * 2000 + "events"),
    *("/api/events" + "%00" * 3000, "/api/events." + "%f0%9f%8e%b7" * 1000),
)

# Ranges in `Accept`; {} stands for a media type of the API.
RANGES = (
    *("{}", "{};q=0.5", "{};q=0", "{};q=1.000", "{};q=0.0001", "{};q=1.1", "{};q=-1", "{};q=", "{};q"),
    *("{};q=nan", "{};q=1e1", "{};q=٠", '{};q="0.5"', "{};Q=0.3", "{} ; q = 0.5", "{};charset=utf-8"),
    *('{};charset="UTF-8"', "{};charset=latin-1", "{};a=b;c=d;q=0.1;ext=1", '{};a="', '{};a="\\'),
    *('{};a="\\"', '{};a="b,c"', "{};;;;", "{};=", "*/*", "*/*;q=0", "*/*;q=0.1", "*", "*/json", "text/*"),
    *("text/*;q=0.2", "application/*;q=0", "/", "text/", "/x", "image/png", "text/html;level=1"),
    *("application/rss+xml+wp", "application/+xml", "a/b/c", "é/é", ",", ";", '"'),
    *("text/calendar;component=vevent", "application/json;profile=x;q=0.9", "text/plain\t;q=0.3", "\\"),
    *("({})",),
)
CODINGS = (
    *("gzip", "br", "zstd", "deflate", "identity", "*", "x-gzip", "GZIP", "gzip;q=0", "br;q=0", "zstd;q=0"),
    *("identity;q=0", "*;q=0", "gzip;q=1.0", "br;q=0.9", "gzip;q=0.001", "identity;q=0.5", "gzip;q="),
    *("gzip;q=2", "gzip;q=-1", "gzip;q", "gzip;q=x", "gzip;q=0.5;q=0", ";", "", "gzip br", '"gzip"'),
    *("gzip;level=9", "é", "gzip ; q=0.1", "br;q=1e0", "none"),
)
TAGS = (
    *('"x"', 'W/"x"', "*", '"', 'W/"', "W/", "x", '""', 'w/"x"', '"a,b"', '"a\\"b"', '"\x80"', ","),
    *('*, "x"', '"x" "y"', '"x-gzip"', '"' + "x" * 8000 + '"', '"x",' * 2000, '"' * 4000, "W/" * 4000),
)
DATES = (
    *("Wed, 29 Jul 2026 12:00:00 GMT", "Sat, 01 Jan 0000 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"),
    *("0", "-1", "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"),
    *("Wed, 30 Feb 2026 12:00:00 GMT", "yesterday", "Wed, 29 Jul 2026 24:61:61 GMT"),
    *("Wed, 29 Jul 99999 12:00:00 GMT", "2026-07-29T12:00:00Z", "Wed, 29 Jul 2026"),
)
HOSTS_ALLOWED = (
    *("localhost", "localhost:8000", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:80", "LOCALHOST"),
    *("localhost:" + "9" * 3000,),
)
HOSTS_REFUSED = (
    *("evil.example", "localhost.evil.example", "localhost@evil.example", "a b", "localhost:x", "[::1"),
    *("[", "%00", "é", "localhost/evil", "localhost?x", "local_host", "..", ".", "-", "127.0.0.1:80:80"),
    *("*", "localhost,evil.example", "http://localhost", "a" * 3000, "a." * 2000, "[" * 2000),
)
ORIGINS = ("https://anywhere.example", "null", "", "x", "https://é", "https://[", "http://a:b:c", "a" * 5000)
# Other headers on which an intermediary or a framework might act.
_RANGES = (
    "bytes=0-",
    "bytes=0-0",
    "bytes=-1",
    "bytes=9-1",
    "bytes=0-1,2-3",
    "bytes=x",
    "bytes=" + "0-0," * 3000,
)
_COOKIES = (
    "sessionid=x",
    "csrftoken=x; sessionid=y",
    "=",
    ";" * 4000,
    "a=\x80",
    'a="\\',
    "messages=[",
    "x" * 8000,
)
_TYPES = (
    *("application/json", "multipart/form-data", "multipart/form-data; boundary=", "x"),
    "text/plain; charset=x",
)
HEADERS = (
    ("Range", _RANGES),
    ("If-Range", ('"x"', 'W/"x"', "Wed, 29 Jul 2026 12:00:00 GMT", "x")),
    ("Origin", ORIGINS),
    ("X-Forwarded-Host", ("evil.example", "a, b", "", "[", "é")),
    ("X-Forwarded-For", ("1.2.3.4", "x", "::1, 1.2.3.4", "1.2.3.4, " * 500)),
    ("X-Forwarded-Proto", ("https", "http", "x", "https, http")),
    ("Forwarded", ("for=x;host=evil.example;proto=https", '="', ";;;")),
    ("Cookie", _COOKIES),
    ("Authorization", ("Basic", "Basic eDp5", "Bearer x", "Digest " + "a=b," * 500, "\x80")),
    ("Content-Type", _TYPES),
    ("X-HTTP-Method-Override", ("DELETE", "x")),
    ("X-Original-URL", ("/admin/",)),
    ("X-Script-Name", ("/evil",)),
    ("Accept-Language", ("en", "sv;q=0", "*", "x" * 3000, "en," * 2000, "\x80")),
    ("Access-Control-Request-Method", ("GET", "DELETE", "x")),
    ("Access-Control-Request-Headers", ("if-none-match", "x", "a," * 2000)),
    ("Cache-Control", ("no-cache", "only-if-cached", "max-age=x")),
    ("Referer", ("http://evil.example/", "x" * 6000)),
    ("User-Agent", ("", "\x80", "x" * 8000, "() { :; }; x")),
)
METHODS = (
    *("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "G", "X" * 200, "M-SEARCH"),
    *("BREW",),
)
