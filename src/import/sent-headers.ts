import { isHeaderValue, objectionToHeader } from '../routing/upstream-settings.ts'

interface SentHeaders {
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Names, as they are written, of those that cannot be sent, or are twice there with other values. */
  readonly left: readonly string[]
}

/** Picks, of the headers that another gateway sends with every request, those that an upstream may have here. Empty ones are none. */
export function sentHeaders(written: Iterable<readonly [name: string, value: unknown]>): SentHeaders {
  const kept = new Map<string, string>()
  const left: string[] = []
  for (const [name, value] of written) {
    const lower = name.trim().toLowerCase()
    if (value === '') continue
    const isSent =
      typeof value === 'string' &&
      isHeaderValue(value) &&
      objectionToHeader(lower) === null &&
      (kept.get(lower) ?? value) === value
    if (isSent) kept.set(lower, value)
    else left.push(name)
  }
  return { headers: Object.fromEntries(kept), left }
}
