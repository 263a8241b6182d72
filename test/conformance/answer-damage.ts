/** Answers of every upstream protocol, and the ways in which they are damaged: by a number that stands for chance. */
import fc from 'fast-check'
import type { HubWire } from '../../src/core/wire.ts'
import { STOP_WORDS } from '../../src/protocols/reading/stop-words.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { answerFrom, callOf, streamOf } from './translation-by-hand.ts'
import { answers, partsOf, USAGE } from './translation-values.ts'

/** Numbers from 0 to below a bound, the same for the same seed (mulberry32). */
export type Chance = (below: number) => number

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const SAMPLES = fc.sample(answers, { numRuns: 60, seed: 20_261_129 })

/** The events of good streams of the wire. */
export function goodStreams(wire: HubWire): readonly (readonly string[])[] {
  return SAMPLES.map((answer, at) =>
    streamOf(wire, partsOf(answerFrom(wire, answer), 1 + (at % 12)))
      .toString()
      .split(/(?<=\n\n)/),
  )
}

/** Good whole answers of the wire, as JSON. */
export function goodWholes(wire: HubWire): readonly string[] {
  return SAMPLES.map((answer) =>
    JSON.stringify(SPOKES[wire].writeAnswer(answerFrom(wire, answer), callOf(wire), USAGE)),
  )
}

const WORDS: readonly string[] = [
  ...[...STOP_WORDS.keys()].map((word) => JSON.stringify(word)),
  '"STOP"', '"MAX_TOKENS"', '"SAFETY"', '"OTHER"', '"MALFORMED_FUNCTION_CALL"', '"gave_up"', '"engine_error"', '""',
  'null', '0', 'true', '{}', '["stop"]', '{"type":"abort"}', '"content_filter: RECITATION"', '"<b>"',
] // prettier-ignore
const STOP_FIELD =
  /"(finish_reason|stop_reason|finishReason|stopReason|reason)":\s*(?:"[^"]*"|null)|"status":\s*"completed"/g
const COUNT = /"(\w*(?:_tokens|TokenCount|putTokens))":\s*\d+/g
const ERRORS: readonly string[] = [
  'data: {"error":{"message":"overloaded","code":502}}\n\n',
  'data: {"error":"overloaded"}\n\n',
  'data: {"object":"error","message":"overloaded","code":503}\n\n',
  'data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  'event: error\ndata: {"message":"overloaded"}\n\n',
  'event: error\ndata: overloaded\n\n',
  'event: modelStreamErrorException\ndata: {"message":"overloaded"}\n\n',
  'data: {"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}\n\n',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":null,"error":{"code":502}}]}\n\n',
]
const HARMLESS: readonly string[] = [': waiting\n\n', 'data: [DONE]\n\n', 'data: {"choices":[]}\n\n', '\n\n']
const VALUES: readonly unknown[] = [null, '', 0, -1, 1e308, true, [], {}, [null], 'text', 'error', { message: 'x' }]
const KEYS: readonly string[] = [
  'error', 'object', 'type', 'choices', 'delta', 'message', 'content', 'usage', 'index', 'status', 'tool_calls',
  'base_resp', 'candidates', 'parts', 'output', 'response', 'item', 'id', 'name', '__proto__',
  'start', 'toolUse', 'contentBlockIndex', 'stopReason',
] // prettier-ignore

/** A stream with one to four changes. */
export function damagedStream(good: readonly string[], chance: Chance): string {
  const events = [...good]
  for (let left = 1 + chance(4); left > 0; left--) damageEvents(events, chance)
  return events.join('')
}

function damageEvents(events: string[], chance: Chance): void {
  const at = chance(events.length)
  const event = events[at] ?? ''
  switch (chance(9)) {
    case 0:
      return void events.splice(at, 1)
    case 1:
      return void events.splice(at, 0, event)
    case 2:
      return void events.splice(at, 1, event.slice(0, chance(event.length + 1)))
    case 3:
      return void events.splice(at)
    case 4:
      return void events.splice(chance(events.length + 1), 0, one(ERRORS, chance))
    case 5:
      return void events.splice(chance(events.length + 1), 0, one(HARMLESS, chance))
    default:
      events.forEach(
        (each, place) => (events[place] = place === at || chance(8) === 0 ? damagedJson(each, chance) : each),
      )
  }
}

/** Binary frames, one after the other; a quarter of them with one change of their bytes. */
export function damagedFrames(good: readonly Buffer[], chance: Chance): Buffer {
  const whole = Buffer.concat(good)
  if (whole.length === 0) return whole
  const at = chance(whole.length)
  switch (chance(20)) {
    case 0:
      return whole.subarray(0, at)
    case 1:
      return Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1 + chance(60))])
    case 2:
      return Buffer.concat([whole.subarray(0, at), Buffer.from('data: {"error":"x"}'), whole.subarray(at)])
    case 3:
    case 4: {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << chance(8))
      return flipped
    }
  }
  return whole
}

/** A whole answer with one to four changes. */
export function damagedWhole(good: string, chance: Chance): string {
  let body = good
  for (let left = 1 + chance(4); left > 0; left--)
    body = chance(12) === 0 ? cut(body, chance) : damagedJson(body, chance)
  return body
}

function cut(text: string, chance: Chance): string {
  return text.slice(0, chance(text.length + 1))
}

function damagedJson(text: string, chance: Chance): string {
  switch (chance(4)) {
    case 0:
      return text.replaceAll(
        STOP_FIELD,
        (_, field: string | undefined) => `"${field ?? 'status'}":${one(WORDS, chance)}`,
      )
    case 1:
      return text.replaceAll(COUNT, (_, field: string) => `"${field}":${one(['0', 'null', '7', '1e99', '-3'], chance)}`)
    default:
      return withOtherField(text, chance)
  }
}

/** The text with another value in one of its objects. */
function withOtherField(text: string, chance: Chance): string {
  const start = text.indexOf('{')
  try {
    const value = JSON.parse(text.slice(start)) as object
    const objects: object[] = []
    const look = (each: unknown): void => {
      if (typeof each !== 'object' || each === null) return
      objects.push(each)
      for (const inner of Object.values(each)) look(inner)
    }
    look(value)
    const chosen = one(objects, chance)
    const keys = [...Object.keys(chosen), ...KEYS]
    const key = keys[chance(chance(2) === 0 ? Math.max(1, Object.keys(chosen).length) : keys.length)] ?? 'error'
    if (chance(4) === 0) Reflect.deleteProperty(chosen, key)
    else
      Object.defineProperty(chosen, key, {
        value: one(VALUES, chance),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    return `${text.slice(0, Math.max(0, start))}${JSON.stringify(value)}${start > 0 ? '\n\n' : ''}`
  } catch {
    return text
  }
}

function one<T>(list: readonly T[], chance: Chance): T {
  return list[chance(list.length)] as T
}
