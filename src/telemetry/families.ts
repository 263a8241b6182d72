/**
 * Every metric of `/metrics`: its name with its unit, and the closed set of its labels. Names are public, as fault codes are:
 * Grafana dashboards and alert rules are written against them (docs/metrics.md).
 */
export const FAMILIES = {
  requests: counter('tollgate_requests_total', 'Requests that are over, refused ones included.', {
    labels: ['wire', 'model', 'group', 'outcome', 'fault'],
  }),
  requestSeconds: histogram(
    'tollgate_request_seconds',
    'From the first header to the last byte of the answer, of requests that were not refused.',
  ),
  firstEventSeconds: histogram(
    'tollgate_time_to_first_event_seconds',
    'From the first header of a streamed request to the first event that the upstream gave for it.',
  ),
  overheadSeconds: histogram(
    'tollgate_overhead_seconds',
    'The part of a completed request that was the gateway’s own: neither its body on the way nor an upstream at work.',
  ),
  upstreamRequests: counter('tollgate_upstream_requests_total', 'Attempts at upstreams, by how they ended.', {
    labels: ['upstream', 'credential', 'class'],
  }),
  hedges: counter(
    'tollgate_hedges_total',
    'Second targets that were asked beside a first that let wait, or were to be, by what came of it.',
    { labels: ['model', 'outcome'] },
  ),
  learnedRefusals: counter(
    'tollgate_learned_refusals_total',
    'Settings that an upstream refused by name, without which the request was sent there once more.',
    { labels: ['upstream', 'upstream_model', 'setting'] },
  ),
  credentialState: gauge(
    'tollgate_credential_state',
    'Threads of this process that have the credential in this state.',
    { labels: ['upstream', 'credential', 'state'] },
  ),
  coolingUntil: gauge(
    'tollgate_credential_cooling_until_seconds',
    'Unix time until which the credential rests or is held; 0 while it does neither.',
    { labels: ['upstream', 'credential'], merge: 'max' },
  ),
  upstreamRestsUntil: gauge(
    'tollgate_upstream_cooling_until_seconds',
    'Unix time until which a model at the upstream rests, with whichever credential; 0 while it does not.',
    { labels: ['upstream', 'upstream_model'], merge: 'max' },
  ),
  upstreamRests: gauge(
    'tollgate_upstream_consecutive_cooldowns',
    'How often in a row a model at the upstream has rested, with whichever credential.',
    { labels: ['upstream', 'upstream_model'], merge: 'max' },
  ),
  spendCapReached: gauge(
    'tollgate_credential_spend_cap_reached',
    'Whether the credential has cost what it may in a day, so that it rests until midnight UTC.',
    { labels: ['upstream', 'credential'], merge: 'max' },
  ),
  spendCapUsed: gauge(
    'tollgate_spend_cap_used',
    'Part of a cap on spending that is used today (UTC): of a credential, of a target by its model, or of the upstream; 0 for an upstream without one.',
    { labels: ['upstream', 'credential', 'model'], merge: 'max' },
  ),
  shadowRefusals: counter(
    'tollgate_shadow_refusals_total',
    'Attempts that a rule in shadow would have kept from where they went: one of a credential, of a target by its model, or of the upstream.',
    { labels: ['rule', 'upstream', 'credential', 'model', 'upstream_model'] },
  ),
  shadowRefusedAt: gauge(
    'tollgate_shadow_refused_last_seconds',
    'Unix time of the last attempt that the rule in shadow would have kept away; 0: there was none.',
    { labels: ['rule', 'upstream', 'credential', 'model', 'upstream_model'], merge: 'max' },
  ),
  inFlight: gauge('tollgate_inflight', 'Requests that are being carried.'),
  tokens: counter('tollgate_tokens_total', 'Tokens in usage records, by kind.', { labels: ['kind'] }),
  routeInput: counter(
    'tollgate_route_input_tokens_total',
    'Input of requests whose upstream says what it read from its cache, by route; affinity: whether they were kept where their conversation was.',
    { labels: ['model', 'upstream', 'affinity'] },
  ),
  routeCached: counter('tollgate_route_cached_tokens_total', 'The part of that input which was read from a cache.', {
    labels: ['model', 'upstream', 'affinity'],
  }),
  charged: counter('tollgate_charged_usd_total', 'What requests were charged, in USD.'),
  providerCost: counter(
    'tollgate_cost_usd_total',
    'What requests cost at their providers, in USD, where that is known.',
  ),
  overrun: counter(
    'tollgate_overrun_usd_total',
    'What answers were charged for output beyond the limit that their request was sent with, in USD.',
  ),
  doubtedReports: counter(
    'tollgate_doubted_reports_total',
    'Answers whose reported usage was not believed as it is, by upstream.',
    { labels: ['upstream'] },
  ),
  cacheLookups: counter(
    'tollgate_response_cache_requests_total',
    'Requests that response caches may serve, by whether one did.',
    { labels: ['result'] },
  ),
  cacheAnswers: gauge('tollgate_response_cache_answers', 'Answers that response caches keep.'),
  cacheBytes: gauge('tollgate_response_cache_bytes', 'Memory that the answers take which response caches keep.'),
  settleQueue: gauge('tollgate_settle_queue', 'Settlements that are not in the books yet.'),
  settleSeconds: histogram('tollgate_settle_seconds', 'From the end of a request until its settlement is durable.'),
  setAside: counter(
    'tollgate_settlements_set_aside_total',
    'Settlements that the database would not take, which are in no book.',
  ),
  leaseGrants: counter('tollgate_lease_grants_total', 'Grants of budget money that the database gave.'),
  overrunCharges: counter(
    'tollgate_overrun_charges_total',
    'Charges to a lease that was no longer active, and so to the budget directly.',
  ),
  redisUp: gauge('tollgate_redis_up', 'Whether Redis answers; without REDIS_URL there is none.', { merge: 'max' }),
  storeUp: gauge('tollgate_store_up', 'Whether the database answers and takes what is written.', { merge: 'max' }),
  storeFailing: gauge('tollgate_store_failing', 'Whether all calls are refused because of the database, by reason.', {
    labels: ['because'],
    merge: 'max',
  }),
  buildInfo: gauge('tollgate_build_info', 'Always 1; what runs stands in the labels.', {
    labels: ['version', 'node', 'engine'],
    merge: 'max',
  }),
  memory: gauge('process_resident_memory_bytes', 'Memory of this process.', { merge: 'max' }),
  cpu: counter('process_cpu_seconds_total', 'Processor time of this process, of all its threads.'),
  started: gauge('process_start_time_seconds', 'Unix time at which this process began.', { merge: 'max' }),
} as const

export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** How the values of several threads become one. */
  readonly merge: 'sum' | 'max'
}

interface Shape {
  readonly labels?: readonly string[]
  readonly merge?: Family['merge']
}

function counter(name: string, help: string, { labels = [], merge = 'sum' }: Shape = {}): Family {
  return { name, type: 'counter', help, labels, merge }
}

function gauge(name: string, help: string, { labels = [], merge = 'sum' }: Shape = {}): Family {
  return { name, type: 'gauge', help, labels, merge }
}

function histogram(name: string, help: string): Family {
  return { name, type: 'histogram', help, labels: [], merge: 'sum' }
}
