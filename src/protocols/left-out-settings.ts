import { DROPPABLE_SETTINGS, type DroppableSetting } from '../core/request-settings-names.ts'
import type { Range } from './json/json-bytes.ts'
import { fieldsIn } from './json/json-scan.ts'

/** A body without what its upstream does not take. */
export interface LeanBody {
  readonly body: Buffer
  /** Paths in the body of what was left out; empty: it is the body that was given. */
  readonly dropped: readonly string[]
}

/** Cuts these settings out of a JSON body, wherever its wire has them. All other bytes stay as they are; nothing is parsed. */
export function withoutSettings(body: Buffer, settings: readonly DroppableSetting[]): LeanBody {
  const dropped: string[] = []
  let rest = body
  const paths = [...new Set(settings.flatMap((setting): readonly string[] => DROPPABLE_SETTINGS[setting]))]
  // Most bodies have few of them, and each look at one is a walk over the body.
  const there = fieldsIn(body, new Set(paths.map(topOf)))
  for (const path of paths) {
    if (there?.has(topOf(path)) !== true) continue
    const keys = path.split('.')
    // A field may stand there twice; parsers differ in which of them they read.
    for (let times = 0; times < REPEATS_LIMIT; times++) {
      const less = withoutField(rest, keys)
      if (less === null) break
      rest = less
      if (times === 0) dropped.push(path)
    }
  }
  return { body: rest, dropped }
}

function topOf(path: string): string {
  return path.split('.', 1)[0] ?? ''
}

/** A setting that is not to be sent: with this value, as JSON writes it, or with any; null: any. */
export interface UntakenSetting {
  readonly setting: DroppableSetting
  readonly value: string | null
}

/** A body without what its upstream has refused. */
export interface TrimmedBody {
  readonly body: Buffer
  /** Settings that were in it. */
  readonly leftOut: readonly DroppableSetting[]
}

/** Cuts these settings out of a JSON body that the gateway wrote, with the objects that are empty without them. */
export function withoutUntaken(body: Buffer, untaken: readonly UntakenSetting[]): TrimmedBody {
  const leftOut = new Set<DroppableSetting>()
  let rest = body
  for (const { setting, value } of untaken) {
    for (const path of DROPPABLE_SETTINGS[setting]) {
      const keys = path.split('.')
      const found = valueAt(rest, keys)
      if (found === null || (value !== null && textAt(rest, found) !== value)) continue
      rest = withoutEmpty(withoutField(rest, keys) ?? rest, keys.slice(0, -1))
      leftOut.add(setting)
    }
  }
  return { body: rest, leftOut: [...leftOut] }
}

/** The paths in a client's body by which it sets this, in the words of any wire. */
export function fieldsThatSay(body: Buffer, setting: DroppableSetting): readonly string[] {
  const paths: readonly string[] = SAID_BY[setting] ?? DROPPABLE_SETTINGS[setting]
  return paths.filter((path) => valueAt(body, path.split('.')) !== null)
}

/** What one wire says by one field another says by another one. */
const SAID_BY: { readonly [Setting in DroppableSetting]?: readonly string[] } = {
  reasoning_effort: DROPPABLE_SETTINGS.reasoning,
  reasoning_summary: DROPPABLE_SETTINGS.reasoning,
  include: [...DROPPABLE_SETTINGS.include, ...DROPPABLE_SETTINGS.logprobs],
}

/** The value that a body has of a setting, where it is a number or one of few words; null: it has none, or another. */
export function fewValued(body: Buffer, setting: DroppableSetting): string | null {
  for (const path of DROPPABLE_SETTINGS[setting]) {
    const found = valueAt(body, path.split('.'))
    if (found === null) continue
    const text = textAt(body, found)
    return FEW_VALUED.test(text) ? text : null
  }
  return null
}

const FEW_VALUED = /^(?:-?\d{1,10}(?:\.\d{1,10})?|"[a-z][a-z_-]{0,15}")$/

const REPEATS_LIMIT = 8

function withoutField(body: Buffer, keys: readonly string[]): Buffer | null {
  const value = valueAt(body, keys)
  if (value === null) return null
  const start = keyBefore(body, value.start)
  const before = solidBefore(body, start)
  if (body[before] === COMMA) return cut(body, before, value.end)
  const behind = solidFrom(body, value.end)
  return cut(body, start, body[behind] === COMMA ? behind + 1 : value.end)
}

/** Leaves out the object at this path, where nothing is left in it. */
function withoutEmpty(body: Buffer, keys: readonly string[]): Buffer {
  const object = keys.length === 0 ? null : valueAt(body, keys)
  return object !== null && textAt(body, object) === '{}' ? (withoutField(body, keys) ?? body) : body
}

/** Where the value stands that this path leads to; null: there is none. */
function valueAt(body: Buffer, keys: readonly string[]): Range | null {
  let value: Range = { start: 0, end: body.length }
  for (const key of keys) {
    const found = fieldIn(body, value, key)
    if (found === null) return null
    value = found
  }
  return value
}

function textAt(body: Buffer, { start, end }: Range): string {
  return body.toString('utf8', start, end)
}

/** The value of a field in the object that stands there; null: there is no such field, or no object. */
function fieldIn(body: Buffer, { start, end }: Range, key: string): Range | null {
  const found = fieldsIn(body.subarray(start, end), new Set([key]))?.get(key)
  return found === undefined ? null : { start: start + found.start, end: start + found.end }
}

const COMMA = 0x2c
const QUOTE = 0x22

/** Where the key of the value at that place begins, with its quote. No name of ours has a quote in it. */
function keyBefore(body: Buffer, value: number): number {
  const closing = body.lastIndexOf(QUOTE, value - 1)
  return body.lastIndexOf(QUOTE, closing - 1)
}

function solidBefore(body: Buffer, at: number): number {
  let index = at - 1
  while (isSpace(body[index])) index--
  return index
}

function solidFrom(body: Buffer, at: number): number {
  let index = at
  while (isSpace(body[index])) index++
  return index
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function cut(body: Buffer, start: number, end: number): Buffer {
  return Buffer.concat([body.subarray(0, start), body.subarray(end)])
}
