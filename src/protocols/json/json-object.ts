/** A JSON object whose fields are yet to be read. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

/** The fields of a JSON object; none where it is something else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** The entries of a JSON list; none where it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The fields that have a value. */
export function withoutNull(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}

/** The text; empty where it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The JSON in a text, parsed; undefined where it is none. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

declare global {
  interface JSON {
    /** ECMAScript 2026, of which TypeScript has no types yet: a value that is written as this text, of a string, number or constant. */
    rawJSON(text: string): object
  }
}

/** A number as it was written, where JavaScript would write it in another way: `1.0`, `1e3`, or more digits than it has room for. */
export class ExactNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): object {
    return JSON.rawJSON(this.#text)
  }
}
