"""Reads a feed from standard input with feedparser and prints its content as JSON."""

import json
import sys

import feedparser

feed = feedparser.parse(sys.stdin.buffer.read())
print(
    json.dumps(
        {
            "bozo": bool(feed.bozo),
            "why": str(feed.get("bozo_exception", "")),
            "version": feed.version,
            "namespaces": feed.namespaces,
            "title": feed.feed.title,
            "items": [
                {
                    "build": entry.sparkle_version,
                    "version": entry.sparkle_shortversionstring,
                    "channel": entry.get("sparkle_channel"),
                    "published": list(entry.published_parsed[:6]),
                    "enclosures": [dict(enclosure) for enclosure in entry.enclosures],
                    "summary": entry.get("summary"),
                }
                for entry in feed.entries
            ],
        }
    )
)
