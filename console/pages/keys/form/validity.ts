/** How long a key is to be valid. */
export type Validity =
  | { readonly kind: 'permanent' }
  | { readonly kind: 'days'; readonly days: (typeof VALIDITY_DAYS)[number] }
  /** The longest time that the account allows. */
  | { readonly kind: 'longest'; readonly days: number }
  /** Valid to the end of that day where the reader is. `date`: `2027-03-01`; empty while nothing is chosen. */
  | { readonly kind: 'date'; readonly date: string }
  /** The expiry that an edited key had before. */
  | { readonly kind: 'unchanged'; readonly time: string }

export const VALIDITY_DAYS = [7, 30, 90] as const

const DAY_MS = 86_400_000
/** The gateway's clock may be behind the browser's, and refuses an end that is too late. */
const CLOCKS_DIFFER_MS = 600_000

/** When the key ends, RFC 3339; null: never. A date that is none gives undefined. */
export function expiryOf(validity: Validity, nowMs: number): string | null | undefined {
  switch (validity.kind) {
    case 'permanent':
      return null
    case 'days':
      return new Date(nowMs + validity.days * DAY_MS).toISOString()
    case 'longest':
      return latestEnd(validity.days, nowMs)
    case 'date':
      return endOfDay(validity.date)
    case 'unchanged':
      return validity.time
  }
}

/** The end of a key that is valid for as many days as its account allows, RFC 3339. */
export function latestEnd(days: number, nowMs: number): string {
  return new Date(nowMs + days * DAY_MS - CLOCKS_DIFFER_MS).toISOString()
}

/** The last day that an account allows whose keys are valid for so many days at most. */
export function lastDayWithin(days: number, nowMs: number): string {
  return dayOf(nowMs + (days - 1) * DAY_MS)
}

/** What is wrong with it, if anything. */
export function validateValidity(validity: Validity, nowMs: number): 'date_missing' | 'date_past' | undefined {
  if (validity.kind !== 'date') return undefined
  const end = endOfDay(validity.date)
  if (end === undefined) return 'date_missing'
  return Date.parse(end) <= nowMs ? 'date_past' : undefined
}

/** The reader's day as a date field wants it. */
export function dayOf(epochMs: number): string {
  const day = new Date(epochMs)
  const twoDigits = (count: number): string => String(count).padStart(2, '0')
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
}

function endOfDay(date: string): string | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date)
  if (match === null) return undefined
  const [, year, month, day] = match.map(Number)
  const end = new Date(year ?? 0, (month ?? 1) - 1, day ?? 1, 23, 59, 59)
  // The 31st of a shorter month would run over into the next.
  return dayOf(end.getTime()) === date ? end.toISOString() : undefined
}
