/** The fault matrix as a table: a row for each ailment, with what all of its cells agree on said once. */
import { FAULTS, type FaultCode } from '../../../src/core/faults.ts'
import type { ChatWire } from '../../../src/core/wire.ts'
import type { Cell, Outcome, Received } from './cells.ts'

export interface Tried {
  readonly cell: Cell
  readonly outcome: Outcome
}

const SHORT: Readonly<Record<ChatWire, string>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  gemini: 'gemini',
}

/** A dimension by which cells may differ: the name of each one's side. */
const DIMENSIONS: readonly ((cell: Cell) => string)[] = [
  ({ isStream }) => (isStream ? 'streamed' : 'whole'),
  ({ isTranslated }) => (isTranslated ? 'translated' : 'own wire'),
  ({ client }) => SHORT[client],
]

const COLUMNS: readonly { readonly title: string; of(tried: Tried): string }[] = [
  { title: 'the client gets', of: answerOf },
  { title: 'and may ask again', of: ({ outcome }) => againOf(outcome.received) },
  { title: 'asked', of: ({ outcome }) => askedOf(outcome) },
  { title: 'with a second target', of: elsewhereOf },
  { title: 'record', of: recordOf },
  { title: 'charged', of: chargeOf },
  { title: 'learned of the target', of: learnedOf },
]

/** `rows`: the cells of one ailment each. */
export function matrixTable(rows: readonly (readonly Tried[])[]): string {
  const titles = ['the upstream', ...COLUMNS.map(({ title }) => title)]
  const lines = rows.map((row) => [row[0]?.cell.ailment.name ?? '', ...COLUMNS.map(({ of }) => agreed(row, of))])
  return [titles, titles.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** What all say; where they differ, what most say and then who says otherwise. */
function agreed(row: readonly Tried[], of: (tried: Tried) => string): string {
  const by = Map.groupBy(row, of)
  if (by.size === 1) return [...by.keys()].join('')
  const sides = sidesThatDecide(row, of)
  const bySide = new Map(row.map((tried) => [sides.map((side) => side(tried.cell)).join(', '), of(tried)]))
  const byValue = Map.groupBy(bySide, ([, value]) => value)
  const parts = [...byValue].toSorted(([, one], [, other]) => other.length - one.length)
  return parts
    .map(([value, entries], index) => (index === 0 ? value : `${entries.map(([side]) => side).join('; ')}: ${value}`))
    .join('<br>')
}

/** The fewest dimensions that tell for each cell what it says. */
function sidesThatDecide(row: readonly Tried[], of: (tried: Tried) => string): readonly ((cell: Cell) => string)[] {
  const [whole, own, client] = DIMENSIONS as [(cell: Cell) => string, (cell: Cell) => string, (cell: Cell) => string]
  const subsets = [[whole], [own], [client], [whole, own], [whole, client], [own, client]]
  const decides = (sides: readonly ((cell: Cell) => string)[]) =>
    [...Map.groupBy(row, ({ cell }) => sides.map((side) => side(cell)).join()).values()].every(
      (group) => new Set(group.map(of)).size === 1,
    )
  return subsets.find(decides) ?? DIMENSIONS
}

function answerOf({ outcome: { received } }: Tried): string {
  const { status, fault, text, isWhole } = received
  if (fault !== null) return `${status} \`${fault}\``
  const error = streamError(text)
  const end = isWhole ? 'a clean end' : 'cut off'
  if (error !== null) return `${status}, the error event \`${error}\`, ${end}`
  return isWhole ? `${status}, the answer` : `${status}, cut off`
}

/** The type of the last event of a stream, where that says that it failed. */
function streamError(text: string): string | null {
  const last = text.trim().split('\n\n').at(-1) ?? ''
  const json = /^data: (\{.*\})$/m.exec(last)?.[1]
  if (json === undefined) return null
  const event = JSON.parse(json) as {
    error?: { type?: string; status?: string }
    code?: string
    response?: { error?: { code?: string } | null }
  }
  return event.error?.type ?? event.error?.status ?? event.response?.error?.code ?? event.code ?? null
}

function againOf({ status, fault, retryAfter, maySendAgain }: Received): string {
  if (status === 200 && fault === null) return '–'
  if (!maySendAgain) return 'no'
  return retryAfter === null ? 'yes' : `after ${retryAfter} s`
}

function elsewhereOf({ outcome: { received, withSpare } }: Tried): string {
  const { status, fault, text, isWhole } = withSpare
  const isGood = status === 200 && fault === null && isWhole && streamError(text) === null
  if (received.status === 200 && received.fault === null && received.isWhole && streamError(received.text) === null)
    return '–'
  if (isGood) return 'it answers'
  return fault === received.fault ? 'is not asked' : `${status} ${fault ?? ''}`
}

function askedOf({ record }: Outcome): string {
  const { length } = record.attempts
  return length === 1 ? 'once' : `${length} times`
}

function recordOf({ outcome: { record } }: Tried): string {
  const { outcome, fault } = record
  return fault === null ? outcome : `${outcome}, \`${fault}\``
}

function chargeOf({ outcome: { record } }: Tried): string {
  if (record.cost === 0n) return 'nothing'
  return record.usageSource === 'reported' ? 'as reported' : 'as estimated'
}

function learnedOf({ outcome: { learned } }: Tried): string {
  if (learned === null) return 'nothing against it'
  const { failure, restMs, rests, isHeld } = learned
  if (isHeld) return `\`${failure}\`: its credential is held`
  if (!rests) return `\`${failure}\`: rests after several`
  return restMs === null ? `\`${failure}\`: rests` : `\`${failure}\`: rests ${restMs / 1_000} s`
}

/** How each protocol names the faults that upstreams cause. */
export function namesTable(): string {
  const rows = Object.entries(FAULTS)
    .filter(([code]) => code.startsWith('upstream_'))
    .map(([code, policy]) => `| \`${code as FaultCode}\` | \`${policy.openaiType}\` | \`${policy.anthropicType}\` |`)
  return ['| fault | chat, responses | messages |', '|---|---|---|', ...rows].join('\n')
}
