import { expect, test } from 'vitest'
import { inPortions, PortionPace } from './portion-pace.ts'

/** Portions of rows that take 0.2 ms each, beside requests that settle or not. Returns sizes and pauses. */
function played(pace: PortionPace, { atMs, isServed }: { atMs: number; isServed: boolean }, portions: number) {
  const seen: { readonly rows: number; readonly pause: number }[] = []
  let now = atMs
  for (let at = 0; at < portions; at++) {
    const { rows } = pace
    const tookMs = rows * 0.2
    now += tookMs
    const pause = pace.after({ atMs: now, tookMs, newest: isServed ? `req_${now}` : 'req_last' })
    seen.push({ rows, pause })
    now += pause
  }
  return { seen, now }
}

test('portions grow to 50 ms with short pauses while nothing is served, and shrink at once to 4 ms when something is', () => {
  const pace = new PortionPace('req_last', 0)
  const quiet = played(pace, { atMs: 10_000, isServed: false }, 20)
  expect(quiet.seen.at(-1)).toEqual({ rows: 250, pause: 10 })
  const busy = played(pace, { atMs: quiet.now, isServed: true }, 20)
  expect(busy.seen[1]).toEqual({ rows: 20, pause: 20 })
  expect(busy.seen.at(-1)).toEqual({ rows: 20, pause: 20 })
  const later = played(pace, { atMs: busy.now + 10_000, isServed: false }, 1)
  expect(later.seen[0]?.rows).toBe(20)
})

test('it begins with small portions, and holds to them until nothing was served for two seconds', () => {
  const { seen } = played(new PortionPace('req_last', 0), { atMs: 0, isServed: false }, 150)
  expect(seen.slice(0, 10).every(({ rows }) => rows <= 25)).toBe(true)
  expect(seen.at(-1)?.rows).toBeGreaterThanOrEqual(40)
})

test('a portion that took very long is followed by the smallest, and by a pause of two seconds at the most', () => {
  const pace = new PortionPace(null, 0)
  expect(pace.after({ atMs: 9_000, tookMs: 9_000, newest: null })).toBeLessThanOrEqual(2_000)
  expect(pace.rows).toBe(5)
})

test('lines come in order and complete, in portions of the size that is wanted when each begins', async () => {
  const sizes = [1, 4, 2]
  async function* given() {
    yield ['a', 'b', 'c']
    yield ['d', 'e', 'f', 'g', 'h']
  }
  const portions: (readonly string[])[] = []
  for await (const lines of inPortions(given(), () => sizes.shift() ?? 2)) portions.push(lines)
  expect(portions).toEqual([['a'], ['b', 'c', 'd', 'e'], ['f', 'g'], ['h']])
})
