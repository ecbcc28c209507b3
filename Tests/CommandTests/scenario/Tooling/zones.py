"""Says what Python's zoneinfo says of instants and of local times in a time zone.

Reads {"zone": NAME, "seconds": [N, …]} and writes {"answers": [[offset, abbreviation, offset, offset, abbreviation], …]}: of the
instant, of the local time of as many seconds, and of the later one of two such local times.
"""
import json
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone

work = json.load(sys.stdin)
zone = zoneinfo.ZoneInfo(work["zone"])
answers = []
for seconds in work["seconds"]:
    shown = (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)).astimezone(zone)
    local = datetime(1970, 1, 1) + timedelta(seconds=seconds)
    later = local.replace(tzinfo=zone, fold=1)
    local = local.replace(tzinfo=zone)
    answers.append([
        shown.utcoffset().total_seconds(), shown.tzname(), local.utcoffset().total_seconds(),
        later.utcoffset().total_seconds(), later.tzname(),
    ])
json.dump({"answers": answers}, sys.stdout)
