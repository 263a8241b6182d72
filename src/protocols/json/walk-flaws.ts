import { JsonFlaw } from './json-bytes.ts'

/** What a walk says of JSON that it cannot read. */

export function tooDeep(limit: number): JsonFlaw {
  return new JsonFlaw(`it is nested deeper than ${limit} levels`)
}

export function openString(start: number): JsonFlaw {
  return new JsonFlaw(`the string at byte ${start} is never closed`)
}

export function neverClosed(openers: readonly number[]): JsonFlaw {
  return new JsonFlaw(`the bracket at byte ${openers.at(-1)} is never closed`)
}

/** No parser reads it. */
export function strayBackslash(at: number): JsonFlaw {
  return new JsonFlaw(`a backslash stands outside of a string at byte ${at}`)
}
