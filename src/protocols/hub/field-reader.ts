import { Fault } from '../../core/faults.ts'
import { isObject, type JsonObject } from '../json/json-object.ts'
import type { Notes } from './notes.ts'

/**
 * Reads one JSON object of a request field by field, and knows at its end which fields were not read: those are left out
 * or refused by name, never dropped in silence. A field that is null is as good as absent. Every method throws the fault
 * `request_invalid` where the value is of another kind.
 */
export class FieldReader {
  readonly at: string
  readonly notes: Notes
  readonly #fields: JsonObject
  /** A few names: a list costs a third of a set, of which a large body would need a million. */
  readonly #read: string[] = []

  constructor(value: unknown, at: string, notes: Notes) {
    if (!isObject(value)) throw wrongKind(at, 'an object')
    this.#fields = value
    this.at = at
    this.notes = notes
  }

  /** The path of one of its fields. */
  path(name: string): string {
    return this.at === '' ? name : `${this.at}.${name}`
  }

  /** The value as it is; null where it is absent. */
  raw(name: string): unknown {
    this.#read.push(name)
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? null) : null
  }

  string(name: string): string | null {
    const value = this.raw(name)
    if (value === null || typeof value === 'string') return value
    throw wrongKind(this.path(name), 'a string')
  }

  /** The string; throws where it is absent. */
  requiredString(name: string): string {
    const value = this.string(name)
    if (value === null) throw missing(this.path(name), 'a string')
    return value
  }

  number(name: string): number | null {
    const value = this.raw(name)
    if (value === null || (typeof value === 'number' && Number.isFinite(value))) return value
    throw wrongKind(this.path(name), 'a number')
  }

  boolean(name: string): boolean | null {
    const value = this.raw(name)
    if (value === null || typeof value === 'boolean') return value
    throw wrongKind(this.path(name), 'true or false')
  }

  /** An object whose fields are to be read one by one; the caller has to call its `end`. */
  object(name: string): FieldReader | null {
    const value = this.raw(name)
    return value === null ? null : new FieldReader(value, this.path(name), this.notes)
  }

  /** An object that is carried as it is, such as a JSON schema. */
  rawObject(name: string): JsonObject | null {
    const value = this.raw(name)
    if (value === null || isObject(value)) return value
    throw wrongKind(this.path(name), 'an object')
  }

  list(name: string): readonly unknown[] | null {
    const value = this.raw(name)
    if (value === null) return null
    if (Array.isArray(value)) return value as readonly unknown[]
    throw wrongKind(this.path(name), 'a list')
  }

  strings(name: string): readonly string[] | null {
    const list = this.list(name)
    if (list === null) return null
    if (list.every((each): each is string => typeof each === 'string')) return list
    throw wrongKind(this.path(name), 'a list of strings')
  }

  /** The objects of a list, each to be read and ended by the caller. */
  objects(name: string): readonly FieldReader[] | null {
    const list = this.list(name)
    return list === null ? null : readersOf(list, this.path(name), this.notes)
  }

  /** Called when everything was asked for that is known: what is left is left out or refused. */
  end(): void {
    for (const name of Object.keys(this.#fields)) {
      if (!this.#read.includes(name) && this.#fields[name] !== null) this.notes.unknown(this.path(name))
    }
  }

  /** What was read of it, once everything was asked for: see `end`. */
  ended<Read>(read: Read): Read {
    this.end()
    return read
  }

  /** See `Notes.dropOrRefuse`. */
  dropOrRefuse(name: string, why: string): void {
    this.notes.dropOrRefuse(this.path(name), why)
  }

  /** Refuses one of its fields, because its value cannot be carried. */
  refuse(name: string, why: string): never {
    return this.notes.refuse(this.path(name), why)
  }
}

export function readersOf(list: readonly unknown[], at: string, notes: Notes): readonly FieldReader[] {
  return list.map((each, index) => new FieldReader(each, `${at}[${index}]`, notes))
}

export function wrongKind(at: string, wanted: string): Fault {
  return new Fault('request_invalid', `The field \`${at}\` must be ${wanted}.`, { param: at })
}

export function missing(at: string, wanted: string): Fault {
  return new Fault('request_invalid', `The field \`${at}\` is missing: it must be ${wanted}.`, { param: at })
}
