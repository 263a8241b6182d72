import type { HostedTool } from '../core/calls.ts'
import { isObject, parseOrUndefined } from './json/json-object.ts'
import type { Range } from './json/json-bytes.ts'
import { fieldsFrom } from './json/json-scan.ts'
import { entriesIn } from './json/list-entries.ts'
import type { LimitPlaces } from './protocol.ts'
import { TOOLS, toolsIn } from './reading/tool-bounds.ts'

/** A body without tools that it offered. */
export interface LeanTools {
  readonly body: Buffer
  /** Paths of the tools that were left out, without positions, as translating names them: `tools[].web_search`. */
  readonly dropped: readonly string[]
}

/**
 * Leaves these tools of the provider's out of a body, as translating does where the model has others and is free to choose: coding
 * agents offer a search beside their own tools with every request. All other bytes stay as they are. Null where the request is
 * about one of them: it is forced, stands anywhere but in the list of tools, or nothing of the client's own stands beside it.
 */
export function withoutOffered(body: Buffer, left: ReadonlySet<HostedTool>, places: LimitPlaces): LeanTools | null {
  const list = places.get(TOOLS)
  if (list === undefined || !isFreeToChoose(body, places.get(CHOICE))) return null
  const hosted = toolsIn(body, list)
  const kept: Range[] = []
  const dropped = new Set<string>()
  const found = new Set<HostedTool>()
  let own = 0
  for (const entry of body[list.start] === OPEN_BRACKET ? entriesIn(body, list) : []) {
    if (entry === null) continue
    const within = hosted.filter(({ at }) => at >= entry.start && at < entry.end).map(({ tool }) => tool)
    const type = typeOf(body, entry)
    if (within.length === 0) own += 1
    if (!within.some((tool) => left.has(tool))) {
      kept.push(entry)
      continue
    }
    // What has other tools in it as well cannot be left out.
    if (type === null || within.length > 1) return null
    for (const tool of within) found.add(tool)
    dropped.add(`${TOOLS}[].${type.slice(0, LONGEST_TYPE)}`)
  }
  const areAllFound = [...left].every((tool) => found.has(tool))
  if (own === 0 || !areAllFound) return null
  const pieces = kept.flatMap(({ start, end }, index) => [index === 0 ? OPEN : COMMA, body.subarray(start, end)])
  return {
    body: Buffer.concat([body.subarray(0, list.start), ...pieces, CLOSE, body.subarray(list.end)]),
    dropped: [...dropped],
  }
}

/** Nothing says which tool is to be called, or one of the client's own is. */
function isFreeToChoose(body: Buffer, choice: Range | undefined): boolean {
  if (choice === undefined) return true
  if (choice.end - choice.start > CHOICE_BYTES) return false
  const read = parsed(body, choice)
  return typeof read === 'string' || read === null || (isObject(read) && FREE_CHOICES.has(String(read['type'])))
}

function typeOf(body: Buffer, entry: Range): string | null {
  const found = fieldsFrom(body, { start: entry.start, most: entry.end - entry.start }, TYPE)?.get('type')
  if (found === undefined || found.end - found.start > CHOICE_BYTES) return null
  const type = parsed(body, { start: entry.start + found.start, end: entry.start + found.end })
  return typeof type === 'string' ? type : null
}

function parsed(body: Buffer, { start, end }: Range): unknown {
  return parseOrUndefined(body.toString('utf8', start, end))
}

const CHOICE = 'tool_choice'
const TYPE = new Set(['type'])
const FREE_CHOICES = new Set(['auto', 'any', 'none', 'function', 'custom'])
const CHOICE_BYTES = 1_024
const LONGEST_TYPE = 64
const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')
const OPEN_BRACKET = 0x5b
