/** How the files of clients are changed: the text of the named keys alone, while every other byte stays as it is. */
import { Failure } from '../host.ts'

/** The names that lead to a value, from the outside in. */
export type Key = readonly string[]

export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value }

/** One format of files. Each function throws a FileBroken where the text is not of the format. */
export interface Editor {
  /** The text of the value as it stands there; null where there is none. */
  read(text: string, key: Key): string | null
  /** Sets the value; what leads to it is made where it is missing. */
  write(text: string, key: Key, value: Value): string
  /** Puts back a text that `read` returned, in place of the one that is there or as a new entry. */
  restore(text: string, key: Key, was: string): string
  /** Takes the entry out, and then each group around it that is empty, unless it `wasThere`. */
  remove(text: string, key: Key, wasThere: (group: Key) => boolean): string
  /** Whether the text says nothing. */
  isEmpty(text: string): boolean
}

/** A file that is not of its format, or written in a way that is not changed here: a sentence without its subject, the path. */
export class FileBroken extends Failure {}

/** The value as the text that stands in a file of lines. Throws for what is not a single value. */
export function plainText(value: Value): string {
  if (typeof value === 'object') throw new FileBroken('takes single values only')
  return String(value)
}

/** The line end of a text: that of its first line. */
export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** The number of the line of a place, from 1. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** The text with another one in place of what is between two places. */
export function spliced(text: string, [start, end]: readonly [number, number], by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}

/** Where the line begins that a place is in. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Where the line ends that a place is in: behind its line end, or at the end of the text. */
export function lineBehind(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}
