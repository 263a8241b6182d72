/** Each way to bring in what is not in the body, by a client that leaves before its usage is reported; and where it never is. */
import { readSettings } from '../settings.ts'
import { BELIEF_CASES } from './belief-cases.ts'
import type { Leaves, MoneyCase } from './money-case.ts'
import { TRANSLATED_CASES } from './translated-cases.ts'

/** Longer than such a client stays, so that it leaves before anything comes, and again before the report. */
const WAIT = 'Wait 700 ms.'

type Way = Pick<MoneyCase, 'leaves' | 'isStream'> & { readonly says: string }

const BEFORE: Way = { leaves: 'before-first-byte', isStream: true, says: 'leaves before the first byte' }
const WHOLE: Way = { leaves: 'before-first-byte', isStream: false, says: 'leaves a whole answer before its first byte' }
const FIRST: Way = { leaves: 'first-event', isStream: true, says: 'leaves at the first event' }
const WAYS: readonly Way[] = [BEFORE, FIRST]

const outside = [
  ...BELIEF_CASES,
  ...TRANSLATED_CASES.filter(({ bound, leaves }) => bound === 'one' && leaves === 'never'),
]
/** Another way to write what stands in the list as well. */
const isSpelling = ({ name }: MoneyCase): boolean => /escaped|case|left? out|streamed/.test(name)
const kinds = outside.filter((one) => !isSpelling(one))

const leaving = kinds.flatMap((one, index) => [
  ...WAYS.map((way) => left(one, way)),
  // What is left whole is left in one way only, so that it is enough for some.
  ...(index % 4 === 0 ? [left(one, WHOLE)] : []),
])
const silent = kinds.filter(({ only }, index) => only === null && index % 3 === 0).flatMap(unreported)
const all = [...leaving, ...silent]

/** The cases in a run of all tests: each way once, on different protocols. */
const SHORT = new Set([
  'responses: goes on from an earlier answer, and leaves before the first byte',
  'chat: names a stored file, and leaves at the first event',
  'messages: names a container with files, and leaves before the first byte',
])

export const LEAVING_CASES: readonly MoneyCase[] = all

/** Whether this run has time for one of `LEAVING_CASES`. */
export function isPlayed({ family, wire, name }: MoneyCase): boolean {
  return family !== 'leaves' || readSettings(process.env).isLong || SHORT.has(`${wire}: ${name}`)
}

function left(one: MoneyCase, { leaves, isStream, says }: Way): MoneyCase {
  // Anthropic says at once what it read, so that such a stream is cancelled.
  const isCancelled = isStream && (one.wire === 'messages' || one.only === 'anthropic')
  return {
    ...one,
    family: 'leaves',
    name: `${one.name}, and ${says}`,
    leaves,
    isStream,
    body: bodyOf(one, isStream, WAIT),
    rule: one.rule ?? (isCancelled ? 'cancelled' : null),
  }
}

/** A provider that reports nothing; and one that is left at once, and has nothing to say either. */
function unreported(one: MoneyCase): MoneyCase[] {
  const of = { ...one, family: 'leaves', model: 'silent', rule: one.rule ?? 'at-the-bound' } as const
  const ways: readonly (readonly [Leaves, string])[] = [
    ['never', 'hears of no usage'],
    ['first-event', 'leaves one that tells no usage'],
  ]
  return ways.map(([leaves, says]) => ({
    ...of,
    name: `${one.name}, and ${says}`,
    leaves,
    isStream: true,
    body: bodyOf(one, true, ''),
  }))
}

/** The prompt may be elsewhere, so the wait stands in a field that every protocol's provider reads as text. */
function bodyOf({ wire, body }: MoneyCase, isStream: boolean, wait: string): string {
  const plain = body.replace(',"stream":true', '')
  const stream = isStream && wire !== 'gemini' ? ',"stream":true' : ''
  const ordered = wait === '' ? plain : plain.replaceAll('Write 20 words.', `Write 20 words. ${wait}`)
  const more = wait === '' || ordered !== plain ? '' : `,"user":${JSON.stringify(wait)}`
  return `${ordered.slice(0, -1)}${stream}${more}}`
}
