import { DROPPABLE_SETTINGS, type DroppableSetting } from '../core/request-settings-names.ts'
import { JsonFlaw, type Range, scanObject } from './reading/json-scan.ts'

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
  for (const path of new Set(settings.flatMap((setting) => DROPPABLE_SETTINGS[setting]))) {
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

const REPEATS_LIMIT = 8

function withoutField(body: Buffer, keys: readonly string[]): Buffer | null {
  let value: Range = { start: 0, end: body.length }
  for (const key of keys) {
    const found = fieldIn(body, value, key)
    if (found === null) return null
    value = found
  }
  const start = keyBefore(body, value.start)
  const before = solidBefore(body, start)
  if (body[before] === COMMA) return cut(body, before, value.end)
  const behind = solidFrom(body, value.end)
  return cut(body, start, body[behind] === COMMA ? behind + 1 : value.end)
}

/** The value of a field in the object that stands there; null: there is no such field, or no object. */
function fieldIn(body: Buffer, { start, end }: Range, key: string): Range | null {
  try {
    const found = scanObject(body.subarray(start, end), { wanted: new Set([key]) }).fields.get(key)
    return found === undefined ? null : { start: start + found.start, end: start + found.end }
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return null
    throw flaw
  }
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
