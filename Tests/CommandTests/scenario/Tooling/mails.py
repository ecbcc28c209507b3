#!/usr/bin/env python3
"""Reads a mailbox with Python's own library, and says what each mail is: its headers, its parts, and what is wrong."""

import email
import email.policy
import json
import mailbox
import sys
import tempfile


def parts(mail):
    """The texts of a mail by their type."""
    return {part.get_content_type(): part.get_content() for part in mail.walk() if not part.is_multipart()}


def defects(mail):
    return [str(defect) for part in mail.walk() for defect in part.defects]


def main():
    work = json.load(sys.stdin)
    with tempfile.NamedTemporaryFile() as file:
        file.write(work["mailbox"].encode())
        file.flush()
        read = lambda stream: email.message_from_binary_file(stream, policy=email.policy.default)
        mails = [
            {
                "subject": mail["Subject"], "to": [str(address) for address in mail["To"].addresses],
                "date": mail["Date"].datetime.isoformat(), "parts": parts(mail), "defects": defects(mail),
                "headers": sorted(mail.keys()),
            }
            for mail in mailbox.mbox(file.name, factory=read)
        ]
    json.dump({"mails": mails}, sys.stdout)


main()
