/** What a year of requests may cost at its end, with retention on. */
export interface YearRow {
  readonly day: number
  /** Requests that were settled until then. */
  readonly requests: number
  readonly databaseBytes: number
  readonly archiveBytes: number
  /** Milliseconds, the best of three. */
  readonly views: Readonly<Record<YearView, number>>
  /** Milliseconds of single settlements, by themselves and beside the deletion of records. */
  readonly settle: Percentiles
  readonly beside: Percentiles
}

export const YEAR_VIEWS = ['newest of an account', 'errors of all', '30 days by day', 'a year by day'] as const
export type YearView = (typeof YEAR_VIEWS)[number]

export interface Percentiles {
  readonly p50: number
  readonly p99: number
}

export interface YearBound {
  readonly name: string
  readonly found: number
  readonly most: number
  readonly isMet: boolean
}

/** Two cores with nothing else on them. A busy machine misses those in milliseconds. */
const VIEWS_MS: Readonly<Record<YearView, number>> = {
  'newest of an account': 50,
  'errors of all': 50,
  '30 days by day': 300,
  'a year by day': 2_000,
}
const SETTLE_MS: Percentiles = { p50: 10, p99: 250 }
const BESIDE_MS: Percentiles = { p50: 20, p99: 500 }
/** Of the database, for each request of the year: what stays for ever, and the records of the last days. */
const BYTES_A_REQUEST = 1_000
/** Of fewer in a year hardly two share a sum. */
const REQUESTS_THAT_SHARE = 1_000_000
/** The last month is as quickly seen at the end of the year as at its beginning, but for this. */
const GROWTH = 2
const GROWTH_FROM_MS = 50

/** Every bound with the worst of all rows; of growth, with the last row beside the first. */
export function judgeYear(rows: readonly YearRow[]): readonly YearBound[] {
  const worst = (of: (row: YearRow) => number) => Math.max(...rows.map(of))
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) throw new Error('A year without a row cannot be judged.')
  const month = '30 days by day'
  return [
    ...YEAR_VIEWS.map((view) =>
      bound(
        `${view}, ms`,
        worst(({ views }) => views[view]),
        VIEWS_MS[view],
      ),
    ),
    bound(
      `${month}, of what it took at first`,
      last.views[month] / Math.max(first.views[month], GROWTH_FROM_MS),
      GROWTH,
    ),
    ...(['p50', 'p99'] as const).flatMap((part) => [
      bound(
        `settle ${part}, ms`,
        worst(({ settle }) => settle[part]),
        SETTLE_MS[part],
      ),
      bound(
        `settle ${part} beside retention, ms`,
        worst(({ beside }) => beside[part]),
        BESIDE_MS[part],
      ),
    ]),
    ...(last.requests < REQUESTS_THAT_SHARE
      ? []
      : [bound('bytes of the database a request', last.databaseBytes / last.requests, BYTES_A_REQUEST)]),
  ]
}

function bound(name: string, found: number, most: number): YearBound {
  return { name, found, most, isMet: found <= most }
}
