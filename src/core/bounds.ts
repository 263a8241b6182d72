import { type NanoUsd, LARGEST_USD, nanoUsd, ONE_PPM, type PartsPerMillion, partsPerMillion } from './money.ts'
import {
  CHANGED_HEADERS_LIMIT,
  CREDENTIALS_LIMIT,
  HEDGE_LEAST_MS,
  HEDGE_MOST_MS,
  INVITATION_CREDIT_LIMIT_NANO_USD,
  KEYS_OF_AN_ACCOUNT_LIMIT,
  MULTIPLIER_LIMIT,
  RESPONSE_CACHE_TTL_LIMIT_SECONDS,
  UNIT_PRICE_LIMIT_NANO_USD,
} from './limits.ts'
import { UNITS_PER_PRICE } from './units.ts'

/** A bound of a field: the least and the most that it takes, both included. */
export interface Bound {
  readonly least: number
  readonly most: number
  readonly unit: 'characters' | 'entries' | 'ms' | 'seconds' | 'hours' | 'days' | 'tokens' | 'count'
}

/** A bound of an amount of money. */
export interface MoneyBound {
  readonly least: NanoUsd
  readonly most: NanoUsd
  readonly unit: 'usd'
}

/** A bound of a factor on prices. */
export interface FactorBound {
  readonly least: PartsPerMillion
  readonly most: PartsPerMillion
  readonly unit: 'factor'
}

const NAME = characters(1, 100)
const MODEL_NAME = characters(1, 200)
const REASON = characters(1, 500)
const TEXT_OF_URL = characters(1, 500)
const SECRET = characters(1, 4_000)
/** A certificate with its chain and its key, or a key file of Google, is a few kilobytes. */
const SECRET_FILE = characters(1, 16_000)
const PROXY_URL = characters(1, 1_000)
/** A day: no request lasts longer, and timers of Node end at 24 days. */
const TIMEOUT = { least: 1, most: 86_400_000, unit: 'ms' } as const
/** 0 lets nothing through. */
const COUNT = { least: 0, most: 1_000_000_000, unit: 'count' } as const
const COUNT_FROM_ONE = { ...COUNT, least: 1 } as const
const TOKENS = { least: 1, most: 1_000_000_000, unit: 'tokens' } as const
/** Only their order and their proportion matter. */
const PRIORITY = { least: 0, most: 1_000_000, unit: 'count' } as const
const WEIGHT = PRIORITY
/** A hundred years. */
const DAYS = { least: 1, most: 36_500, unit: 'days' } as const
/** Names of groups or models: as many as the declarative file takes of anything. */
const NAMES = entries(0, 10_000)
const MONEY = { least: nanoUsd(0n), most: LARGEST_USD, unit: 'usd' } as const
const FACTOR = {
  least: partsPerMillion(0n),
  most: partsPerMillion(MULTIPLIER_LIMIT * ONE_PPM),
  unit: 'factor',
} as const

/**
 * The bounds of every field of an administered object. The API, the declarative file and the command line read them here, so
 * that a value has the same verdict in all three (decision 0105).
 */
export const BOUNDS = {
  upstream: {
    name: NAME,
    base_url: TEXT_OF_URL,
    credential: SECRET,
    credentials: entries(0, CREDENTIALS_LIMIT),
    timeout_ms: TIMEOUT,
    connect_timeout_ms: TIMEOUT,
    first_byte_timeout_ms: TIMEOUT,
    max_concurrency: COUNT_FROM_ONE,
    spend_per_day: MONEY,
    header_name: characters(1, 100),
    header_value: characters(0, 4_096),
    remove_headers: entries(0, CHANGED_HEADERS_LIMIT),
    region: NAME,
    api_version: NAME,
    proxy_url: PROXY_URL,
  },
  credential: {
    name: NAME,
    secret: SECRET_FILE,
    setting: REASON,
    weight: WEIGHT,
    realm: characters(1, 200),
    max_concurrency: COUNT_FROM_ONE,
    requests_per_minute: COUNT_FROM_ONE,
    tokens_per_minute: COUNT_FROM_ONE,
    spend_per_day: MONEY,
    models: entries(1, NAMES.most),
    model: MODEL_NAME,
    proxy_url: PROXY_URL,
  },
  model: {
    name: MODEL_NAME,
    context_tokens: TOKENS,
    max_output_tokens: TOKENS,
    first_event_timeout_ms: TIMEOUT,
    idle_timeout_ms: TIMEOUT,
    timeout_ms: TIMEOUT,
    hedge_after_ms: { least: HEDGE_LEAST_MS, most: HEDGE_MOST_MS, unit: 'ms' },
    /** Each choice looks at all of them. */
    targets: entries(0, 1_000),
  },
  target: {
    model: MODEL_NAME,
    priority: PRIORITY,
    weight: WEIGHT,
    groups: NAMES,
    /** A factor on the model's price. */
    cost_factor: FACTOR,
    /** Less than all of the price. */
    min_margin: { ...FACTOR, most: partsPerMillion(ONE_PPM - 1n) },
    spend_per_day: MONEY,
    fields_like: MODEL_NAME,
  },
  price: {
    /** The price of a million tokens or characters. */
    million: { ...MONEY, most: nanoUsd(UNIT_PRICE_LIMIT_NANO_USD) },
    /** The price of one request, image, second or call, which is kept as the price of a million. */
    one: { ...MONEY, most: nanoUsd(UNIT_PRICE_LIMIT_NANO_USD / UNITS_PER_PRICE) },
    above_input_tokens: TOKENS,
    /** More than any provider publishes; and what is shown and searched stays short. */
    tiers: entries(0, 8),
    service_tiers: entries(0, 16),
    inference_geo: entries(0, 16),
    rule_name: characters(1, 32),
    /** The factor of a tier or a region: three places, so that every price stays exact. */
    factor: { ...FACTOR, least: partsPerMillion(1_000n) },
  },
  group: {
    name: NAME,
    multiplier: FACTOR,
    models: NAMES,
    model: MODEL_NAME,
    cache_ttl_seconds: { least: 1, most: RESPONSE_CACHE_TTL_LIMIT_SECONDS, unit: 'seconds' },
    device_quota: MONEY,
    device_max_days: { least: 1, most: 3_650, unit: 'days' },
  },
  plan: {
    name: NAME,
    groups: { ...NAMES, least: 1 },
    days: DAYS,
    price: MONEY,
    quota_usd: MONEY,
  },
  account: {
    name: { ...NAME, least: 0 },
    email: characters(3, 254),
    /** The bounds of better-auth, so that what is set here can be typed there. */
    password: characters(8, 128),
    balance: MONEY,
    open_groups: NAMES,
    multipliers: NAMES,
    own_multiplier: FACTOR,
  },
  account_limits: {
    /** Each counted limit. */
    count: COUNT,
    spend: MONEY,
    max_keys: { least: 0, most: KEYS_OF_AN_ACCOUNT_LIMIT, unit: 'count' },
    max_key_validity_days: DAYS,
  },
  access_token: { name: NAME },
  invitation: {
    /** A quarter. */
    expires_in_hours: { least: 1, most: 24 * 90, unit: 'hours' },
    /** What one call gives in all, to however many. */
    credit: { ...MONEY, least: nanoUsd(1n), most: nanoUsd(INVITATION_CREDIT_LIMIT_NANO_USD) },
    open_groups: NAMES,
    /** Invited by one call. */
    emails: entries(1, 100),
    /** A line of them, which may be no address. */
    email: characters(0, 1_000),
  },
  /** The contract's numbers. */
  key: {
    name: NAME,
    group: NAME,
    fallback_groups: entries(0, 20),
    quota_limit: MONEY,
    /** Each counted limit. */
    count: COUNT,
    spend: MONEY,
    allowed_models: entries(0, 200),
    allowed_model: MODEL_NAME,
    allowed_ips: entries(0, 200),
    allowed_ip: characters(1, 64),
    tags: entries(0, 20),
    tag: characters(1, 40),
    custom_key: characters(20, 128),
  },
  subscription: { days: DAYS, reason: REASON },
  /** Entries by hand, which also take from a balance. */
  ledger_entry: { amount: { ...MONEY, least: nanoUsd(0n - LARGEST_USD) }, reason: REASON },
  announcement: { title: characters(1, 200), text: characters(0, 2_000), groups: entries(1, 100) },
  settings: {
    site_name: NAME,
    imports: entries(0, 50),
    import_name: characters(1, 60),
    import_template: characters(1, 2_000),
    hidden_imports: entries(0, 100),
    hidden_import: characters(1, 64),
    top_up_url: TEXT_OF_URL,
    support_address: TEXT_OF_URL,
    /** All are listed at once. */
    max_devices: { least: 1, most: 100, unit: 'count' },
    /** Ten years. */
    device_idle_days: { least: 1, most: 3_650, unit: 'days' },
    device_max_days: { least: 1, most: 3_650, unit: 'days' },
  },
  redeem_code: {
    amount: { ...MONEY, least: nanoUsd(1n) },
    /** Created by one call. */
    count: { least: 1, most: 1_000, unit: 'count' },
    note: characters(0, 200),
  },
} as const satisfies Record<string, Record<string, Bound | MoneyBound | FactorBound>>

function characters<const Least extends number, const Most extends number>(least: Least, most: Most) {
  return { least, most, unit: 'characters' } as const
}

function entries<const Least extends number, const Most extends number>(least: Least, most: Most) {
  return { least, most, unit: 'entries' } as const
}
