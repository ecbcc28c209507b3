# Written by tools/members.py from `scenario schema report`.
from typing import List, Literal, Mapping, Optional

from ._record import Record

class ReportMembersSummary(Record):
    attestations: int
    attestations_passed: int
    attestations_failed: int
    malformed: int
    scenarios: int
    scenarios_passed: int
    scenarios_failed: int
    passed: int
    failed: int

class ReportMembersScenariosExpectations(Record):
    file: str
    line: int
    column: int
    passed: bool
    expected: str
    actual: str
    message: str
    rejections: Optional[str]
    subject: Optional[str]
    seconds: Optional[int]
    explain: Optional[str]

class ReportMembersScenariosRequests(Record):
    group: str
    blocked_devices: int
    still_blocked: int
    longest_blocked: Optional[int]
    accepted: int
    refused: int
    blocked: int
    intercepted: int
    not_sent: int
    no_connection: int

class ReportMembersScenarios(Record):
    name: str
    file: str
    passed: bool
    expectations: List[ReportMembersScenariosExpectations]
    requests: List[ReportMembersScenariosRequests]

class ReportMembersDevices(Record):
    unique: int
    new: int
    banned: int

class ReportMembersWindowsHourly(Record):
    start: str
    pass_: int
    fail: int

class ReportMembersWindows(Record):
    hourly: List[ReportMembersWindowsHourly]
    daily: List[ReportMembersWindowsHourly]
    monthly: List[ReportMembersWindowsHourly]

class ReportMembersFilters(Record):
    name: str
    matched: int
    devices: int
    match_limit_hits: int

class ReportMembersReproduced(Record):
    compared: int
    agreed: int

class ReportMembersJudgedUnjudged(Record):
    devices: int
    reasons: Mapping[str, int]
    left_out: int

class ReportMembersJudged(Record):
    exact: bool
    unjudged: ReportMembersJudgedUnjudged

class ReportMembersFetchesMost(Record):
    device: str
    fetches: int
    verdict: Optional[Literal["pass", "fail"]]

class ReportMembersFetchesWeights(Record):
    pass_: int
    fail: int
    unknown: int

class ReportMembersFetches(Record):
    total: int
    devices: int
    malformed: int
    most: List[ReportMembersFetchesMost]
    first: str
    last: str
    weights: ReportMembersFetchesWeights

class ReportMembersValuesValues(Record):
    value: str
    attestations: int
    failed: int
    devices: int
    missed_at_most: int
    missed_devices_at_most: int

class ReportMembersValues(Record):
    attribute: str
    exact: bool
    present: int
    absent: int
    different: Optional[int]
    others_at_most: int
    values_: List[ReportMembersValuesValues]

class ReportMembersLabelsUnmatched(Record):
    line: int
    attribute: str
    value: str
    label: str

class ReportMembersLabelsExempted(Record):
    bad: int
    good: int
    unknown: int

class ReportMembersLabelsAccountBad(Record):
    devices: int
    days: int
    unevaluated: int
    caught: int
    caught_days: int
    missed: int
    missed_days: int

class ReportMembersLabelsAccountGood(Record):
    devices: int
    days: int
    unevaluated: int
    blocked: int
    blocked_days: int

class ReportMembersLabelsAccountUnknown(Record):
    devices: int
    days: int
    unevaluated: int
    rejected: int
    rejected_days: int

class ReportMembersLabelsAccountRecall(Record):
    share: float
    at_least: float
    at_most: float

class ReportMembersLabelsAccount(Record):
    bad: ReportMembersLabelsAccountBad
    good: ReportMembersLabelsAccountGood
    unknown: ReportMembersLabelsAccountUnknown
    recall: Optional[ReportMembersLabelsAccountRecall]
    precision: Optional[ReportMembersLabelsAccountRecall]
    cost: int

class ReportMembersLabels(Record):
    labels: int
    unmatched: List[ReportMembersLabelsUnmatched]
    exempted: ReportMembersLabelsExempted
    level: str
    account: Optional[ReportMembersLabelsAccount]

class ReportMembersCoverage(Record):
    covered: int
    total: int

class ReportMembersMutantsUnnoticed(Record):
    account_file: str
    account: str
    change: str
    file: str
    line: int
    column: int
    difference: str

class ReportMembersMutants(Record):
    noticed: int
    effective: int
    idle: int
    unnoticed: List[ReportMembersMutantsUnnoticed]

class ReportMembersLeftOut(Record):
    name: str
    file: str
    reason: str

class ReportMembersSeries(Record):
    minute: str
    pass_: int
    fail: int

class ReportMembersIntervalsFailingDevices(Record):
    estimate: Optional[float]
    lower: Optional[float]
    upper: Optional[float]

class ReportMembersIntervals(Record):
    level: str
    assumption: str
    failing_devices: ReportMembersIntervalsFailingDevices

class ReportMembersNarrowed(Record):
    only: List[str]
    from_: str
    to: str

class ReportMembersAssumedAssumptions(Record):
    assumption: str
    devices: int
    drawn: int

class ReportMembersAssumedEffects(Record):
    of: Literal["change", "assumption", "both"]
    newly_rejected: int
    newly_accepted: int
    locked_out: int
    let_in: int
    unjudged_devices: int

class ReportMembersAssumedDrawsNewlyRejected(Record):
    expected: Optional[float]
    deviation: Optional[float]
    fewest: int
    most: int

class ReportMembersAssumedDraws(Record):
    devices: int
    taken: int
    newly_rejected: ReportMembersAssumedDrawsNewlyRejected
    newly_accepted: ReportMembersAssumedDrawsNewlyRejected
    unjudged_devices: int

class ReportMembersAssumed(Record):
    assumptions: List[ReportMembersAssumedAssumptions]
    effects: List[ReportMembersAssumedEffects]
    draws: ReportMembersAssumedDraws

class ReportMembersSettingsValues(Record):
    option: Optional[str]
    value: str
    before_change: bool

class ReportMembersSettingsChanges(Record):
    option: Optional[str]
    before: Optional[List[str]]
    after: Optional[List[str]]
    loosens: bool

class ReportMembersSettings(Record):
    file: str
    values_: List[ReportMembersSettingsValues]
    changes: List[ReportMembersSettingsChanges]

class ReportMembers(object):
    version: int
    summary: ReportMembersSummary
    scenarios: List[ReportMembersScenarios]
    metrics: Mapping[str, int]
    lifetimes: Mapping[str, int]
    devices: ReportMembersDevices
    windows: ReportMembersWindows
    filters: List[ReportMembersFilters]
    reproduced: Optional[ReportMembersReproduced]
    policies: Mapping[str, int]
    billing: int
    judged: ReportMembersJudged
    unknown_flags: Mapping[str, int]
    fetches: ReportMembersFetches
    values_: List[ReportMembersValues]
    labels: ReportMembersLabels
    coverage: ReportMembersCoverage
    mutants: ReportMembersMutants
    left_out: List[ReportMembersLeftOut]
    series: List[ReportMembersSeries]
    intervals: ReportMembersIntervals
    explain: str
    narrowed: ReportMembersNarrowed
    assumed: ReportMembersAssumed
    settings: ReportMembersSettings

class ComparisonMembersBefore(Record):
    version: int
    summary: ReportMembersSummary
    scenarios: List[ReportMembersScenarios]
    metrics: Mapping[str, int]
    lifetimes: Mapping[str, int]
    devices: ReportMembersDevices
    windows: ReportMembersWindows
    filters: List[ReportMembersFilters]
    reproduced: Optional[ReportMembersReproduced]
    policies: Mapping[str, int]
    billing: int
    judged: ReportMembersJudged
    unknown_flags: Mapping[str, int]
    fetches: ReportMembersFetches
    values_: List[ReportMembersValues]
    labels: ReportMembersLabels
    coverage: ReportMembersCoverage
    mutants: ReportMembersMutants
    left_out: List[ReportMembersLeftOut]
    series: List[ReportMembersSeries]
    intervals: ReportMembersIntervals
    explain: str
    narrowed: ReportMembersNarrowed
    assumed: ReportMembersAssumed
    settings: ReportMembersSettings

class ComparisonMembersChangesNewlyRejectedExamplesBefore(Record):
    verdict: Literal["pass", "fail"]
    policy: str
    rejections: List[str]

class ComparisonMembersChangesNewlyRejectedExamples(Record):
    device: str
    time: str
    attestations: int
    devices: int
    flags: List[str]
    before: ComparisonMembersChangesNewlyRejectedExamplesBefore
    after: ComparisonMembersChangesNewlyRejectedExamplesBefore
    fetches: int

class ComparisonMembersChangesNewlyRejectedFlags(Record):
    name: str
    attestations: int
    devices: int
    example: str
    fetches: int

class ComparisonMembersChangesNewlyRejected(Record):
    attestations: int
    devices: int
    fetches: Optional[int]
    examples: List[ComparisonMembersChangesNewlyRejectedExamples]
    flags: List[ComparisonMembersChangesNewlyRejectedFlags]
    filters: List[ComparisonMembersChangesNewlyRejectedFlags]
    others: List[ComparisonMembersChangesNewlyRejectedFlags]
    apps: List[ComparisonMembersChangesNewlyRejectedFlags]
    versions: List[ComparisonMembersChangesNewlyRejectedFlags]
    systems: List[ComparisonMembersChangesNewlyRejectedFlags]
    device_names: Optional[List[str]]

class ComparisonMembersChangesCompared(Record):
    inputs: List[str]
    account: str
    names: str

class ComparisonMembersChangesCertaintyLockedOut(Record):
    at_least: Optional[int]
    at_most: Optional[int]

class ComparisonMembersChangesCertainty(Record):
    answer: Literal["exact", "bounded", "open"]
    locked_out: ComparisonMembersChangesCertaintyLockedOut
    let_in: ComparisonMembersChangesCertaintyLockedOut

class ComparisonMembersChangesPolicies(Record):
    before: str
    after: str

class ComparisonMembersChangesPolicyDifferenceFlags(Record):
    flag: str
    before: str
    after: str

class ComparisonMembersChangesPolicyDifference(Record):
    flags: List[ComparisonMembersChangesPolicyDifferenceFlags]
    others: List[str]

class ComparisonMembersChangesTokenFetches(Record):
    per_mille: int
    a_day_before: Optional[int]
    a_day_after: Optional[int]

class ComparisonMembersChangesLifetimes(Record):
    before: int
    after: int
    attestations: int
    fetches: int

class ComparisonMembersChangesAnnotations(Record):
    attestations: int
    devices: int
    appearing: int
    disappearing: int
    gained: Mapping[str, int]
    lost: Mapping[str, int]
    fetches: int

class ComparisonMembersChangesDisagreements(Record):
    captured: Literal["pass", "fail"]
    reasons: List[str]
    attestations: int
    example: str
    time: str

class ComparisonMembersChangesDecidedRules(Record):
    rule: str
    sentence: str

class ComparisonMembersChangesNewlyBlocked(Record):
    requests: int
    devices: int

class ComparisonMembersChangesClientsWorse(Record):
    events: int
    devices: int

class ComparisonMembersChangesClientsDifferences(Record):
    events: int
    devices: int
    effect: Literal["worse", "better", "other"]
    before: str
    after: str
    example: str

class ComparisonMembersChangesClients(Record):
    events: int
    devices: int
    kind: str
    worse: ComparisonMembersChangesClientsWorse
    better: ComparisonMembersChangesClientsWorse
    differences: List[ComparisonMembersChangesClientsDifferences]

class ComparisonMembersChangesTimelineMinutes(Record):
    minute: str
    fetches: int
    cached: int
    newly_locked_out: int
    newly_let_in: int
    newly_blocked: int

class ComparisonMembersChangesTimeline(Record):
    made: str
    in_force: str
    minutes: List[ComparisonMembersChangesTimelineMinutes]

class ComparisonMembersChangesLabelsAfter(Record):
    bad: ReportMembersLabelsAccountBad
    good: ReportMembersLabelsAccountGood
    unknown: ReportMembersLabelsAccountUnknown
    recall: Optional[ReportMembersLabelsAccountRecall]
    precision: Optional[ReportMembersLabelsAccountRecall]
    newly_rejected: ReportMembersLabelsExempted
    no_longer_rejected: ReportMembersLabelsExempted
    cost: int
    saves: int
    efficient: bool

class ComparisonMembersChangesLabels(Record):
    labels: int
    unmatched: List[ReportMembersLabelsUnmatched]
    exempted: ReportMembersLabelsExempted
    level: str
    before: ReportMembersLabelsAccount
    after: ComparisonMembersChangesLabelsAfter

class ComparisonMembersChangesGroupsGroupsValues(Record):
    key: str
    value: str

class ComparisonMembersChangesGroupsGroups(Record):
    ratio: Optional[float]
    lower: Optional[float]
    upper: Optional[float]
    p: Optional[float]
    values_: List[ComparisonMembersChangesGroupsGroupsValues]
    condition: str
    devices: int
    newly_rejected: int
    more: int

class ComparisonMembersChangesGroups(Record):
    level: str
    keys_: List[str]
    order: int
    tried: int
    support: int
    devices: int
    newly_rejected: int
    groups: List[ComparisonMembersChangesGroupsGroups]

class ComparisonMembersChangesValuesValues(Record):
    value: str
    devices: int
    newly_rejected: int

class ComparisonMembersChangesValues(Record):
    key: str
    different: int
    values_: List[ComparisonMembersChangesValuesValues]

class ComparisonMembersChangesAcceptedValuesValues(Record):
    value: str
    devices: int
    newly_accepted: int

class ComparisonMembersChangesAcceptedValues(Record):
    key: str
    different: int
    values_: List[ComparisonMembersChangesAcceptedValuesValues]

class ComparisonMembersChangesSinceOld(Record):
    capture: str
    devices: int
    attestations: int
    hours: int
    unjudged_devices: int

class ComparisonMembersChangesSinceKinds(Record):
    key: str
    values_: int
    stability_index: Optional[float]
    by_chance: Optional[float]

class ComparisonMembersChangesSinceValues(Record):
    key: str
    value: str
    before: int
    after: int
    difference: Optional[float]
    lower: Optional[float]
    upper: Optional[float]
    p: Optional[float]
    drifts: bool
    rare_values: int

class ComparisonMembersChangesSinceGreatest(Record):
    key: str
    value: str
    difference: Optional[float]

class ComparisonMembersChangesSince(Record):
    old: ComparisonMembersChangesSinceOld
    new: ComparisonMembersChangesSinceOld
    common_devices: int
    level: str
    tested: int
    rare: int
    drifting: int
    bound: Optional[float]
    unjudged_devices: int
    kinds: List[ComparisonMembersChangesSinceKinds]
    values_: List[ComparisonMembersChangesSinceValues]
    greatest: ComparisonMembersChangesSinceGreatest
    narrowed: ReportMembersNarrowed
    assumed: ReportMembersAssumed

class ComparisonMembersChanges(Record):
    counts: Literal["attestations", "fetches"]
    fetches: Optional[int]
    judged: ReportMembersJudged
    newly_rejected: ComparisonMembersChangesNewlyRejected
    newly_accepted: ComparisonMembersChangesNewlyRejected
    compared: Optional[ComparisonMembersChangesCompared]
    certainty: ComparisonMembersChangesCertainty
    policies: ComparisonMembersChangesPolicies
    policy_difference: ComparisonMembersChangesPolicyDifference
    token_fetches: ComparisonMembersChangesTokenFetches
    unjudged: List[str]
    attestations: int
    devices: int
    locked_out: int
    let_in: int
    lifetimes: List[ComparisonMembersChangesLifetimes]
    annotations: ComparisonMembersChangesAnnotations
    disagreements: List[ComparisonMembersChangesDisagreements]
    decided_rules: List[ComparisonMembersChangesDecidedRules]
    newly_blocked: ComparisonMembersChangesNewlyBlocked
    clients: List[ComparisonMembersChangesClients]
    timeline: ComparisonMembersChangesTimeline
    labels: ComparisonMembersChangesLabels
    groups: ComparisonMembersChangesGroups
    values_: List[ComparisonMembersChangesValues]
    accepted_values: List[ComparisonMembersChangesAcceptedValues]
    since: ComparisonMembersChangesSince

class ComparisonMembersIntervals(Record):
    level: str
    assumption: str
    locked_out: ReportMembersIntervalsFailingDevices
    let_in: ReportMembersIntervalsFailingDevices
    newly_rejected: ReportMembersIntervalsFailingDevices
    newly_accepted: ReportMembersIntervalsFailingDevices
    failing_devices_difference: ReportMembersIntervalsFailingDevices

class ComparisonMembersAlternativesNow(Record):
    bad_caught: int
    good_blocked: int
    unknown_rejected: int
    saves: int

class ComparisonMembersAlternativesEdits(Record):
    command: str
    newly_rejected_devices: int
    newly_accepted_devices: int
    token_fetches: Optional[int]
    bad_caught: int
    good_blocked: int
    unknown_rejected: int
    saves: int

class ComparisonMembersAlternatives(Record):
    evaluated: int
    now: ComparisonMembersAlternativesNow
    change: ComparisonMembersAlternativesNow
    edits: List[ComparisonMembersAlternativesEdits]

class ComparisonMembersRolloutNoticed(Record):
    runs: int
    percent: int
    seconds: Optional[int]
    time: str
    newly_rejected_devices: int
    at_once_devices: int

class ComparisonMembersRolloutStepsNoticed(Record):
    runs: int
    percent: int
    seconds: Optional[int]

class ComparisonMembersRolloutStepsLabels(Record):
    newly_rejected: ReportMembersLabelsExempted
    cost: int
    saves: int

class ComparisonMembersRolloutSteps(Record):
    percent: str
    start: str
    seconds: Optional[int]
    reached: bool
    commands: List[str]
    met_devices: int
    newly_rejected_devices: int
    newly_accepted_devices: int
    lost_fetches: int
    noticed: Optional[ComparisonMembersRolloutStepsNoticed]
    attestations: int
    fetches: int
    labels: ComparisonMembersRolloutStepsLabels

class ComparisonMembersRolloutCurve(Record):
    time: str
    met_devices: int
    newly_rejected_devices: int
    at_once_devices: int

class ComparisonMembersRolloutLabels(Record):
    labels: int
    unmatched: List[ReportMembersLabelsUnmatched]

class ComparisonMembersRollout(Record):
    version: int
    policy: str
    filtered_policy: Optional[str]
    start: str
    end: str
    devices: int
    unjudged_devices: int
    runs: int
    seed: str
    noticed: Optional[ComparisonMembersRolloutNoticed]
    steps: List[ComparisonMembersRolloutSteps]
    curve: List[ComparisonMembersRolloutCurve]
    attestations: int
    fetches: int
    labels: ComparisonMembersRolloutLabels
    narrowed: ReportMembersNarrowed
    assumed: ReportMembersAssumed
    settings: ReportMembersSettings

class ComparisonMembers(object):
    version: int
    before: ComparisonMembersBefore
    after: ComparisonMembersBefore
    changes: ComparisonMembersChanges
    sentence: str
    intervals: ComparisonMembersIntervals
    explain: str
    part: str
    alternatives: ComparisonMembersAlternatives
    rollout: ComparisonMembersRollout
    narrowed: ReportMembersNarrowed
    assumed: ReportMembersAssumed
    settings: ReportMembersSettings

class EditsMembersEditsNewlyRejected(Record):
    attestations: int
    devices: int

class EditsMembersEditsIntervals(Record):
    newly_rejected: ReportMembersIntervalsFailingDevices
    newly_accepted: ReportMembersIntervalsFailingDevices

class EditsMembersEdits(Record):
    command: str
    newly_rejected: EditsMembersEditsNewlyRejected
    newly_accepted: EditsMembersEditsNewlyRejected
    token_fetches: Optional[int]
    token_fetches_per_mille: int
    unjudged_devices: int
    labels: ComparisonMembersChangesLabelsAfter
    intervals: EditsMembersEditsIntervals

class EditsMembersIntervals(Record):
    level: str
    count: int
    assumption: str

class EditsMembers(object):
    version: int
    attestations: int
    devices: int
    evaluated: int
    token_fetches: Optional[int]
    edits: List[EditsMembersEdits]
    labels: ReportMembersLabels
    intervals: EditsMembersIntervals
    narrowed: ReportMembersNarrowed
    assumed: ReportMembersAssumed
    settings: ReportMembersSettings

class RolloutMembers(object):
    version: int
    policy: str
    filtered_policy: Optional[str]
    start: str
    end: str
    devices: int
    unjudged_devices: int
    runs: int
    seed: str
    noticed: Optional[ComparisonMembersRolloutNoticed]
    steps: List[ComparisonMembersRolloutSteps]
    curve: List[ComparisonMembersRolloutCurve]
    attestations: int
    fetches: int
    labels: ComparisonMembersRolloutLabels
    narrowed: ReportMembersNarrowed
    assumed: ReportMembersAssumed
    settings: ReportMembersSettings

class ProofsMembersNewlyRejectedRecords(Record):
    time: str
    flags: List[str]
    attributes: Mapping[str, str]
    service: Literal["primary", "failover"]

class ProofsMembersNewlyRejected(Record):
    answer: Literal["proved", "found", "not-excluded", "not-decided"]
    reasons: List[str]
    device: str
    before: ComparisonMembersChangesNewlyRejectedExamplesBefore
    after: ComparisonMembersChangesNewlyRejectedExamplesBefore
    records: List[ProofsMembersNewlyRejectedRecords]

class ProofsMembers(object):
    version: int
    decided_rules: List[ComparisonMembersChangesDecidedRules]
    newly_rejected: ProofsMembersNewlyRejected
    newly_accepted: ProofsMembersNewlyRejected
    settings: ReportMembersSettings

class SearchMembersAnswersExempted(Record):
    devices: int
    remaining: int
    others: int

class SearchMembersAnswersIntervals(Record):
    newly_rejected: ReportMembersIntervalsFailingDevices
    besides: ReportMembersIntervalsFailingDevices
    newly_accepted: ReportMembersIntervalsFailingDevices

class SearchMembersAnswers(Record):
    commands: List[str]
    newly_rejected: int
    besides: int
    newly_accepted: int
    unjudged_devices: int
    bad: int
    caught: int
    good: int
    blocked: int
    unevaluated: int
    passing_asked_to_fail: int
    failing_asked_to_pass: int
    exempted: SearchMembersAnswersExempted
    intervals: SearchMembersAnswersIntervals

class SearchMembersHeldOut(Record):
    start: str
    devices: int
    seen_before: int

class SearchMembers(object):
    version: int
    maximum_edits: int
    rejecting: int
    keeping: int
    answers: List[SearchMembersAnswers]
    unmatched: List[ReportMembersLabelsUnmatched]
    held_out: SearchMembersHeldOut
    intervals: EditsMembersIntervals
    possible_others: ProofsMembersNewlyRejected
    settings: ReportMembersSettings

class CapturesComparedMembers(object):
    version: int
    old: ComparisonMembersChangesSinceOld
    new: ComparisonMembersChangesSinceOld
    common_devices: int
    level: str
    tested: int
    rare: int
    drifting: int
    bound: Optional[float]
    unjudged_devices: int
    kinds: List[ComparisonMembersChangesSinceKinds]
    values_: List[ComparisonMembersChangesSinceValues]
    greatest: ComparisonMembersChangesSinceGreatest
    narrowed: ReportMembersNarrowed
    assumed: ReportMembersAssumed
    settings: ReportMembersSettings

class DiagnosticsMembersDiagnostics(Record):
    severity: Literal["error", "warning"]
    file: str
    line: Optional[int]
    column: Optional[int]
    message: str
    code: Optional[str]
    excerpt: Optional[str]
    hint: Optional[str]

class DiagnosticsMembersAllowed(Record):
    file: str
    line: int
    code: str
    reason: str
    diagnostics: List[DiagnosticsMembersDiagnostics]

class DiagnosticsMembers(object):
    version: int
    errors: int
    warnings: int
    diagnostics: List[DiagnosticsMembersDiagnostics]
    allowed: List[DiagnosticsMembersAllowed]

class ExplanationsMembersExplanationsSteps(Record):
    number: int
    name: str
    lines: List[str]

class ExplanationsMembersExplanations(Record):
    device: str
    time: str
    verdict: Literal["pass", "fail"]
    policy: str
    steps: List[ExplanationsMembersExplanationsSteps]
    flips: List[List[str]]

class ExplanationsMembers(object):
    version: int
    explanations: List[ExplanationsMembersExplanations]
    decided_rules: List[ComparisonMembersChangesDecidedRules]
    narrowed: ReportMembersNarrowed
    settings: ReportMembersSettings

class ScenarioExplanationMembersRequestsSteps(Record):
    rule: str
    name: str
    line: str

class ScenarioExplanationMembersRequests(Record):
    device: str
    group: str
    to: str
    first: str
    last: str
    requests: int
    outcome: Literal["accepted", "refused", "blocked", "intercepted", "not-sent", "no-connection"]
    steps: List[ScenarioExplanationMembersRequestsSteps]

class ScenarioExplanationMembersEvents(Record):
    event: str
    first: str
    last: str
    times: int
    steps: List[ScenarioExplanationMembersRequestsSteps]
    device: str
    group: str
    result: str

class ScenarioExplanationMembers(object):
    version: int
    requests: List[ScenarioExplanationMembersRequests]
    events: List[ScenarioExplanationMembersEvents]
    decided_rules: List[ComparisonMembersChangesDecidedRules]

class PresetsMembersPresets(Record):
    name: str
    summary: str
    flags: Mapping[str, str]

class PresetsMembers(object):
    version: int
    presets: List[PresetsMembersPresets]

class PolicyMembers(object):
    version: int
    policy: str
    rules: str
    rejection: str
    annotation: str
    flags: Mapping[str, str]

class PolicyDifferenceMembers(object):
    version: int
    before: str
    after: str
    flags: List[ComparisonMembersChangesPolicyDifferenceFlags]
    others: List[str]

class PinsMembersRotationsGroups(Record):
    group: str
    devices: int
    blocked_devices: int
    still_blocked: int
    longest_blocked_seconds: Optional[int]

class PinsMembersRotations(Record):
    domain: str
    rotation: Literal["same-key", "new-key", "new-intermediate", "another-ca", "stolen-key"]
    summary: str
    chain: List[str]
    survives: bool
    match: Optional[str]
    pinned: bool
    devices: int
    blocked_devices: int
    still_blocked: int
    longest_blocked_seconds: Optional[int]
    trusting_thief: Optional[int]
    commands: List[str]
    groups: List[PinsMembersRotationsGroups]

class PinsMembersLeftOut(Record):
    domain: str
    rotation: Literal["same-key", "new-key", "new-intermediate", "another-ca", "stolen-key"]
    reason: str

class PinsMembers(object):
    version: int
    account: str
    rotations: List[PinsMembersRotations]
    left_out: List[PinsMembersLeftOut]
    settings: ReportMembersSettings

class IdlePartsMembersPartsCaughtBy(Record):
    rejection: str
    devices: int

class IdlePartsMembersParts(Record):
    kind: Literal["filter", "entry", "flag"]
    name: str
    effect: Literal["unmatched", "shadowed", "idle", "watching", "used", "unknown"]
    devices: int
    attestations: int
    last_match: Optional[str]
    caught_by: List[IdlePartsMembersPartsCaughtBy]

class IdlePartsMembersWideFound(Record):
    values_: int
    devices: int
    example: str

class IdlePartsMembersWide(Record):
    filter: str
    key: str
    regex: str
    found: IdlePartsMembersWideFound
    longer: Optional[IdlePartsMembersWideFound]
    dotted: Optional[IdlePartsMembersWideFound]

class IdlePartsMembersPreset(Record):
    name: str
    flags: int
    unmatched: List[str]

class IdlePartsMembers(object):
    version: int
    account: str
    attestations: int
    devices: int
    first: Optional[str]
    last: Optional[str]
    dead: int
    parts: List[IdlePartsMembersParts]
    wide: List[IdlePartsMembersWide]
    preset: IdlePartsMembersPreset
    commands: List[str]
    unjudged_devices: int

class RequestsMembersReasons(Record):
    reason: Literal["no-token", "malformed", "unsigned", "critical-extension", "other-algorithm", "unknown-key", "other-domain", "other-key", "failed-attestation", "wrong-signature", "without-expiry", "expired", "not-yet-valid", "no-binding", "other-binding"]
    requests: int
    devices: int
    summary: str
    file: str
    line: int
    details: Mapping[str, int]
    median_seconds: Optional[int]
    longest_seconds: Optional[int]

class RequestsMembersHours(Record):
    hour: str
    requests: int
    refused: int
    reasons: Mapping[str, int]

class RequestsMembersGroups(Record):
    value: Optional[str]
    requests: int
    refused: int
    reasons: Mapping[str, int]

class RequestsMembers(object):
    version: int
    account: str
    requests: int
    refused: int
    first: Optional[str]
    last: Optional[str]
    reasons: List[RequestsMembersReasons]
    hours: List[RequestsMembersHours]
    key: str
    groups: List[RequestsMembersGroups]
    settings: ReportMembersSettings
