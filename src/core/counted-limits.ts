/** What is known of a limit of a key that is a count. How it is counted is in `metering/limits/key-limits.ts`. */
interface CountedLimitFacts {
  /** The name of the field in the contract. */
  readonly field: string
  /** The name of the limit in response headers: `x-ratelimit-limit-<header>`. */
  readonly header: string
  /** The time that it is about; null: the present moment, so that it has no reset. */
  readonly window: '60s' | null
  readonly unit: 'requests' | 'tokens'
  /** What the command line's help says of it. */
  readonly meaning: string
}

/** The limits of a key that are counts: one row each. The other limits of a key are money, and are budgets. */
export const COUNTED_LIMITS = {
  concurrency: {
    field: 'concurrency',
    header: 'concurrency',
    window: null,
    unit: 'requests',
    meaning: 'requests at the same time',
  },
  requestsPerMinute: {
    field: 'requests_per_minute',
    header: 'requests',
    window: '60s',
    unit: 'requests',
    meaning: 'requests in any 60 seconds',
  },
  tokensPerMinute: {
    field: 'tokens_per_minute',
    header: 'tokens',
    window: '60s',
    unit: 'tokens',
    meaning: 'tokens in any 60 seconds',
  },
} as const satisfies Record<string, CountedLimitFacts>

type CountedLimitRows = typeof COUNTED_LIMITS
type KnownFacts = CountedLimitFacts & { readonly field: CountedLimitField }
type LimitName = keyof CountedLimitRows

/** The counted limits of a key; null: none. */
export type CountedLimits = { readonly [N in LimitName]: number | null }
export type CountedLimitField = CountedLimitRows[LimitName]['field']
export type CountedLimit = CountedLimitRows[LimitName]['header']

const ENTRIES = Object.entries(COUNTED_LIMITS) as [LimitName, CountedLimitRows[LimitName]][]

/** The fields in the order of their rows, and never none: as `z.enum` takes them. */
export const COUNTED_LIMIT_FIELDS = ENTRIES.map(([, { field }]) => field) as readonly CountedLimitField[] as readonly [
  CountedLimitField,
  ...CountedLimitField[],
]

/** The names in headers, in the order of their rows. */
export const COUNTED_LIMIT_NAMES = ENTRIES.map(([, { header }]) => header) as readonly CountedLimit[] as readonly [
  CountedLimit,
  ...CountedLimit[],
]

export const NO_COUNTS = Object.fromEntries(ENTRIES.map(([name]) => [name, null])) as {
  readonly [N in LimitName]: null
}

/** Something for every counted limit, by its field in the contract. */
export function forEachCount<T>(make: (field: CountedLimitField) => T): Readonly<Record<CountedLimitField, T>> {
  return Object.fromEntries(COUNTED_LIMIT_FIELDS.map((field) => [field, make(field)])) as Record<CountedLimitField, T>
}

/** The first limit that lets nothing through, and never will: 0. Undefined: there is none. */
export function closedCount(limits: CountedLimits): CountedLimit | undefined {
  return ENTRIES.find(([name]) => limits[name] === 0)?.[1].header
}

/** Reads the fields of the contract; what is absent is not limited. */
export function countsOf(fields: { readonly [F in CountedLimitField]?: number | null | undefined }): CountedLimits {
  return Object.fromEntries(ENTRIES.map(([name, { field }]) => [name, fields[field] ?? null])) as CountedLimits
}

/** Writes the fields of the contract. */
export function countsOnWire(limits: CountedLimits): Record<CountedLimitField, number | null> {
  return Object.fromEntries(ENTRIES.map(([name, { field }]) => [field, limits[name]])) as Record<
    CountedLimitField,
    number | null
  >
}

export function hasCounts(limits: CountedLimits): boolean {
  return ENTRIES.some(([name]) => limits[name] !== null)
}

/** The facts of a limit by its name in headers. */
export function countedLimitFacts(limit: CountedLimit): KnownFacts {
  return FACTS[limit]
}

const FACTS = Object.fromEntries(ENTRIES.map(([, facts]) => [facts.header, facts])) as Record<CountedLimit, KnownFacts>
