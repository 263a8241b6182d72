import { parseOrUndefined } from './json/json-object.ts'

/** The text of a whole answer of any chat wire, of the first choice; null: it has none that can be read. */
export function writtenText(body: Buffer): string | null {
  const answer = parseOrUndefined(body.toString('utf8'))
  const texts = PLACES.flatMap((path) => found(answer, path)).filter((text) => typeof text === 'string' && text !== '')
  return texts.length === 0 ? null : texts.join('')
}

/** Where texts stand on each of the four wires; `*`: in each of a list. */
const PLACES: readonly (readonly string[])[] = [
  ['choices', '0', 'message', 'content'],
  ['output', '*', 'content', '*', 'text'],
  ['content', '*', 'text'],
  ['candidates', '0', 'content', 'parts', '*', 'text'],
]

function found(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (step === '*') return Array.isArray(value) ? value.flatMap((each: unknown) => found(each, rest)) : []
  return found(Reflect.get(value, step), rest)
}
