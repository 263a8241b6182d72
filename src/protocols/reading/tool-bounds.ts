import type { HostedTool } from '../../core/calls.ts'
import { Fault } from '../../core/faults.ts'
import { HELD_CALLS, HOSTED_TOOLS_LIMIT } from '../../core/limits.ts'
import { OUTSIDE_SHOWN, OutsideInputFinder } from './outside-input-finder.ts'
import type { Range } from '../json/json-bytes.ts'
import { fieldsFrom, scanObject } from '../json/json-scan.ts'
import type { LimitPlaces, ToolBounds } from '../protocol.ts'
import { addition, limitAtTop, splice } from './output-limit.ts'
import type { RangeEdit } from '../json/range-edits.ts'

/** One bound for all tools together, in a field at the top. */
export function boundAtTop(field: string): ToolBounds {
  const wanted = new Set([field, TOOLS])
  const limit = limitAtTop([field], () => field)
  return {
    read: (body, known) => {
      const places = known ?? scanObject(body, { wanted }).fields
      const tools = toolsIn(body, places.get(TOOLS)).map(({ tool }) => tool)
      const found = places.get(field)
      return tools.length === 0 ? [] : [{ tools, named: found === undefined ? null : countAt(body, found) }]
    },
    limit: (body, calls, known) => {
      const places = known ?? scanObject(body, { wanted }).fields
      const found = places.get(field)
      const isNamed = found !== undefined && countAt(body, found) !== null
      return limit(body, { model: NO_MODEL, tokens: isNamed ? calls : Math.min(calls, HELD_CALLS) }, places) ?? body
    },
  }
}

/** A bound in each of these tools, in a field of its own. */
export function boundInTools(field: string, bounded: ReadonlySet<HostedTool>): ToolBounds {
  const wanted = new Set([field])
  const boundsIn = (body: Buffer, known: LimitPlaces | undefined) => {
    const list = (known ?? scanObject(body, { wanted: ONLY_TOOLS }).fields).get(TOOLS)
    return toolsIn(body, list)
      .filter(({ tool }) => bounded.has(tool))
      .map(({ tool, at }) => {
        const found = fieldsFrom(body, { start: at, most: TOOLS_BYTES }, wanted)?.get(field)
        const place = found === undefined ? null : { start: at + found.start, end: at + found.end }
        return { tool, at, place, named: place === null ? null : countAt(body, place) }
      })
  }
  return {
    read: (body, known) => boundsIn(body, known).map(({ tool, named }) => ({ tools: [tool], named })),
    limit: (body, calls, known) => {
      const edits = boundsIn(body, known).map(({ at, place, named }): RangeEdit => {
        const bound = Math.min(named ?? HELD_CALLS, calls)
        return place === null ? addition(body, at, `"${field}":${bound}`) : { at: place, text: String(bound) }
      })
      return edits.length === 0 ? body : splice(body, edits)
    },
  }
}

export interface ToolPlace {
  readonly tool: HostedTool
  /** The offset of its object. */
  readonly at: number
}

/**
 * Every tool of the provider's in this list, where it stands. Throws the fault `request_invalid` where the list is larger than any
 * request has it.
 */
export function toolsIn(body: Buffer, list: Range | undefined): readonly ToolPlace[] {
  if (list === undefined) return []
  if (list.end - list.start > TOOLS_BYTES) throw tooLarge()
  const places: ToolPlace[] = []
  const finder = new OutsideInputFinder((tool, at) => {
    if (places.length === HOSTED_TOOLS_LIMIT) throw tooMany()
    places.push({ tool, at: at - BEFORE.length + list.start })
  })
  const alone = Buffer.concat([BEFORE, body.subarray(list.start, list.end), BEHIND])
  scanObject(alone, { wanted: NOTHING, onName: finder.look, names: OUTSIDE_SHOWN })
  return places
}

function tooMany(): Fault {
  const message = `The request asks for more than ${HOSTED_TOOLS_LIMIT} of the provider’s own tools. Name each tool once.`
  return new Fault('request_invalid', message, { param: TOOLS })
}

function tooLarge(): Fault {
  const message = `The list of tools has more than ${TOOLS_BYTES / 1024 / 1024} MB, of which some run at the provider. Send fewer tools.`
  return new Fault('request_invalid', message, { param: TOOLS })
}

/** A whole number; null: it is none. */
function countAt(bytes: Buffer, { start, end }: Range): number | null {
  if (end - start > COUNT_BYTES) return null
  const count = Number(bytes.toString('latin1', start, end).trim() || NaN)
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** The list at the top of a request, on all wires. */
export const TOOLS = 'tools'
const ONLY_TOOLS = new Set([TOOLS])
/** Agents send 200 KB. It is walked over at once. */
const TOOLS_BYTES = 2 * 1024 * 1024
const BEFORE = Buffer.from(`{"${TOOLS}":`)
const BEHIND = Buffer.from('}')
const COUNT_BYTES = 32
const NO_MODEL = { name: '' }
const NOTHING: ReadonlySet<string> = new Set()
