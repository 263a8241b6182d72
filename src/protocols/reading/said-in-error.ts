import { parseOrUndefined } from '../json/json-object.ts'

/** What an error answer says, wherever in it. */
export interface SaidInError {
  readonly texts: readonly string[]
  /** Entries of a list of what is wrong with a request, as pydantic writes it: `{"loc": ["body", "seed"], "msg": …}`. */
  readonly entries: readonly { readonly field: string; readonly message: string }[]
  /** The field that is at fault; null: it says none. */
  readonly param: string | null
}

/** The fields in which errors say something. No other is looked at, since it may quote what was asked. */
const SPEAKING = ['error', 'message', 'detail', 'errors', 'raw', 'metadata', 'cause', 'upstream_error'] as const

const DEPTH_LIMIT = 8
const PARTS_LIMIT = 200
const TEXT_CHARACTERS = 4_000
const JSON_CHARACTERS = 16_000

/** Reads an error in any of the forms of `readErrorAnswer`, and those that aggregators wrap in one of their own. Never throws. */
export function saidInError(body: Buffer): SaidInError {
  const said = new Said()
  said.add(body.toString(), 0)
  return said
}

class Said implements SaidInError {
  readonly texts: string[] = []
  readonly entries: { field: string; message: string }[] = []
  param: string | null = null
  #parts = 0

  add(value: unknown, depth: number): void {
    if (depth > DEPTH_LIMIT || ++this.#parts > PARTS_LIMIT) return
    if (typeof value === 'string') this.#addText(value, depth)
    else if (Array.isArray(value)) for (const each of value) this.add(each, depth + 1)
    else if (typeof value === 'object' && value !== null)
      this.#addObject(value as Readonly<Record<string, unknown>>, depth)
  }

  /** Aggregators quote an upstream's whole error as a text. */
  #addText(text: string, depth: number): void {
    const json = /^\s{0,16}[[{]/.test(text) ? parseOrUndefined(depth === 0 ? text : text.slice(0, JSON_CHARACTERS)) : undefined
    if (json === undefined) this.texts.push(text.slice(0, TEXT_CHARACTERS))
    else this.add(json, depth + 1)
  }

  #addObject(fields: Readonly<Record<string, unknown>>, depth: number): void {
    const { loc, msg, param } = fields
    if (Array.isArray(loc) && typeof msg === 'string') {
      const field = loc.filter((each) => typeof each === 'string').join('.')
      this.entries.push({ field, message: msg.slice(0, TEXT_CHARACTERS) })
      return
    }
    if (typeof param === 'string' && param !== '') this.param ??= param
    for (const name of SPEAKING) if (fields[name] !== undefined) this.add(fields[name], depth + 1)
  }
}
