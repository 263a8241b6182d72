/** What an event of `ConverseStream` says. */
export type ConverseEvent =
  | 'messageStart'
  | 'contentBlockStart'
  | 'contentBlockDelta'
  | 'contentBlockStop'
  | 'messageStop'
  | 'metadata'
  | 'exception'

/** The events by their names, each with the field that only its data has. */
const SHAPES: readonly (readonly [Exclude<ConverseEvent, 'exception'>, string])[] = [
  ['contentBlockDelta', 'delta'],
  ['contentBlockStart', 'start'],
  ['messageStart', 'role'],
  ['messageStop', 'stopReason'],
  ['metadata', 'usage'],
  ['metadata', 'metrics'],
  ['contentBlockStop', 'contentBlockIndex'],
]
const NAMES: ReadonlySet<string> = new Set(SHAPES.map(([name]) => name))

/**
 * What an event says, by its name, which the data does not repeat; without one, as in a list of the data alone, by what the
 * data has. Null: it is none that is known. Exceptions are events of their own (`ConverseStreamOutput`).
 */
export function converseEventOf(name: string | null, has: (field: string) => boolean): ConverseEvent | null {
  if (name === 'error' || name?.endsWith('Exception') === true) return 'exception'
  if (name !== null && NAMES.has(name)) return name as ConverseEvent
  if (name !== null && name !== 'message') return null
  return SHAPES.find(([, field]) => has(field))?.[0] ?? null
}

/** Pieces of base64, each of whole bytes, as one: hidden reasoning may come in several. */
export function joinedBase64(pieces: readonly string[]): string {
  const [first = '', ...more] = pieces
  if (more.length === 0) return first
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
}
