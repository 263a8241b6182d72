/** What upstreams answer, right and wrong: read as undici reads it, or more strictly for one of the reasons listed here. */
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { readSettings } from '../settings.ts'
import { answerCase, ANSWERS, cutEverywhere } from './answer-case.ts'
import { type Taken, takenByUndici, takenByUs } from './answer-taken.ts'

const { fuzzCases, seed, isLong } = readSettings(process.env)
const TIMEOUT_MS = 3_600_000
const FAILURES_SHOWN = 10

/** Why the gateway refuses what undici takes, and what undici does with it. */
const STRICTER: Readonly<Record<string, string>> = {
  'an encoding other than chunked': 'takes the coded bytes for content, up to the end of the connection',
  'a status that is not well formed': 'takes control characters in the reason, and empty lines before the status',
  'a length behind its content': 'takes a Transfer-Encoding among the trailers, though no Content-Length',
  'a head that is too long': 'does not count line ends, colons, the status line, and extensions of chunks',
  'a length that is not a number':
    'takes blanks behind it and more digits than any size has, where the status has no content',
  'a chunk-line that is not well formed':
    'takes extensions that are not well formed, and any number of zeros before the size',
}

test.for(Object.entries(ANSWERS))(
  '%s: one answer, however it is cut into reads',
  { timeout: TIMEOUT_MS },
  async ([, text]) => {
    const whole = await takenByUndici([Buffer.from(text, 'latin1')])
    expect(whole.end).toBe('whole')
    for (const reads of cutEverywhere(text)) {
      expect(await takenByUs(reads)).toEqual(whole)
      if (isLong) expect(await takenByUndici(reads)).toEqual(whole)
    }
  },
)

test(
  'whatever upstreams answer is read as undici reads it, or refused for a listed reason',
  { timeout: TIMEOUT_MS },
  async () => {
    const failures: string[] = []
    const counts = new Map<string, number>()
    for (let index = 0; index < fuzzCases && failures.length < FAILURES_SHOWN; index++) {
      const { reads } = answerCase(index, seed)
      const ours = await takenByUs(reads)
      const verdict = compared(ours, await takenByUndici(reads))
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
      if (verdict === 'different') failures.push(`seed ${seed}, case ${index}: ${ours.end}`)
    }
    if (isLong) console.log(counts)
    expect(failures).toEqual([])
    // Neither all nothing but wrong, nor all right.
    expect(counts.get('whole')).toBeGreaterThan(fuzzCases / 10)
    expect(counts.get('refused')).toBeGreaterThan(fuzzCases / 10)
  },
)

function compared(ours: Taken, theirs: Taken): string {
  const isWhole = ours.end === 'whole'
  if (isWhole !== (theirs.end === 'whole')) return STRICTER[reasonIn(ours)] === undefined ? 'different' : reasonIn(ours)
  if (!isWhole) return 'refused'
  const isSame =
    ours.status === theirs.status && isDeepStrictEqual(ours.headers, theirs.headers) && ours.body.equals(theirs.body)
  return isSame ? 'whole' : 'different'
}

function reasonIn({ end }: Taken): string {
  return /the upstream sent (.+)$/.exec(end)?.[1] ?? ''
}
