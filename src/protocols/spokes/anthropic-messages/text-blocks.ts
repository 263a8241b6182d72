import { type FieldReader, missing, readersOf, wrongKind } from '../../hub/field-reader.ts'
import type { TextPart } from '../../hub/neutral-request.ts'
import { readCacheMark } from './cache-mark.ts'

/** A field that is a string or a list of blocks, which are read one by one. */
export function blocksOf<Part>(
  of: FieldReader,
  name: string,
  read: (block: FieldReader, type: string) => Part[],
): (Part | TextPart)[] {
  const [value, at] = [of.raw(name), of.path(name)]
  if (value === null) throw missing(at, 'a string or a list of blocks')
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value, at }]
  if (!Array.isArray(value)) throw wrongKind(at, 'a string or a list of blocks')
  return readersOf(value, at, of.notes).flatMap((block) => read(block, block.requiredString('type')))
}

/** A block of text, whole. */
export function textPart(block: FieldReader): TextPart {
  const part: TextPart = { kind: 'text', text: block.requiredString('text'), at: block.at, ...readCacheMark(block) }
  block.end()
  return part
}
