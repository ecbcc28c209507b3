"""Decoded verdicts of today's platforms, drawn by a fixed seed: members and values are those of the platforms' documents."""

from __future__ import annotations

import base64
import random
from typing import Any, Dict, List

# 23 July 2020, 08:00 UTC.
_START = 1_595_491_200


def _device(number: int) -> str:
    return base64.b64encode(number.to_bytes(16, "big")).decode()


def play_integrity(count: int, seed: int = 1) -> List[Dict[str, Any]]:
    """Payloads as Google Play's server decrypts them, each with the device ID of the app's own session."""
    draw = random.Random(seed)

    def one(number: int) -> Dict[str, Any]:
        is_farm, is_rooted = draw.random() < 0.04, draw.random() < 0.06
        device = ["MEETS_BASIC_INTEGRITY", "MEETS_DEVICE_INTEGRITY"]
        if draw.random() < 0.7:
            device.append("MEETS_STRONG_INTEGRITY")
        detected = draw.choice([[], ["KNOWN_INSTALLED"], ["KNOWN_INSTALLED", "UNKNOWN_INSTALLED"]])
        if draw.random() < 0.03:
            detected = [*detected, "UNKNOWN_CAPTURING"]
        return {
            "device-id": _device(number),
            "requestDetails": {"requestPackageName": "com.example.bank", "timestampMillis": 1000 * (_START + 11 * number)},
            "appIntegrity": {
                "appRecognitionVerdict": "UNRECOGNIZED_VERSION" if is_farm else "PLAY_RECOGNIZED",
                "packageName": "com.example.bank", "versionCode": draw.choice(["117", "120"])},
            "deviceIntegrity": {
                "deviceRecognitionVerdict": [] if is_farm else ["MEETS_BASIC_INTEGRITY"] if is_rooted else device,
                "recentDeviceActivity": {"deviceActivityLevel": "LEVEL_4" if is_farm else draw.choice(["LEVEL_1", "LEVEL_2"])}},
            "accountDetails": {"appLicensingVerdict": "UNLICENSED" if is_farm else "LICENSED"},
            "environmentDetails": {
                "appAccessRiskVerdict": {"appsDetected": detected},
                "playProtectVerdict": draw.choice(["NO_ISSUES"] * 9 + ["NO_DATA", "MEDIUM_RISK"])},
        }

    return [one(number) for number in range(count)]


def app_attest(count: int, seed: int = 2) -> List[Dict[str, Any]]:
    """Attestations as a server decodes them: the AAGUID and the counter of the authenticator data, the metric of the receipt."""
    draw = random.Random(seed)
    return [{
        "device-id": _device(1_000_000 + number), "time": _START + 17 * number + 5,
        "aaguid": "appattestdevelop" if draw.random() < 0.01 else "appattest", "signCount": 0,
        "riskMetric": 40 if draw.random() < 0.02 else draw.choice([1, 1, 1, 2, 3])} for number in range(count)]
