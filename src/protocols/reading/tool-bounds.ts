import type { HostedTool } from '../../core/calls.ts'
import { Fault } from '../../core/faults.ts'
import { HELD_CALLS, HOSTED_TOOLS_LIMIT } from '../../core/limits.ts'
import { OutsideInputFinder } from '../outside-input.ts'
import { JsonWalk, type Range, scanObject } from './json-scan.ts'
import { addition, type Edit, limitAtTop, splice } from './output-limit.ts'

/** How many calls of these tools together a request lets its upstream make; `named` null: it does not say. */
export interface ToolBound {
  readonly tools: readonly HostedTool[]
  readonly named: number | null
}

/** How a wire bounds the calls of the provider's own tools. Bodies have passed the reading of requests. */
export interface ToolBounds {
  /** The bounds that a request has or may be given. Tools that are in none of them know no bound. */
  read(body: Buffer): readonly ToolBound[]
  /** Lowers each bound to so many calls; where there is none, it becomes that or `HELD_CALLS`, whichever is less. */
  limit(body: Buffer, calls: number): Buffer
}

/** One bound for all tools together, in a field at the top. */
export function boundAtTop(field: string): ToolBounds {
  const wanted = new Set([field])
  const limit = limitAtTop([field], () => field)
  return {
    read: (body) => {
      const tools = toolsIn(body).map(({ tool }) => tool)
      const found = scanObject(body, { wanted }).fields.get(field)
      return tools.length === 0 ? [] : [{ tools, named: found === undefined ? null : countAt(body, found) }]
    },
    limit: (body, calls) => {
      const found = scanObject(body, { wanted }).fields.get(field)
      const isNamed = found !== undefined && countAt(body, found) !== null
      return limit(body, { model: NO_MODEL, tokens: isNamed ? calls : Math.min(calls, HELD_CALLS) }) ?? body
    },
  }
}

/** A bound in each of these tools, in a field of its own. */
export function boundInTools(field: string, bounded: ReadonlySet<HostedTool>): ToolBounds {
  const wanted = new Set([field])
  const placesIn = (body: Buffer) => toolsIn(body).filter(({ tool, at }) => bounded.has(tool) && at >= 0)
  return {
    read: (body) => {
      const walk = new JsonWalk(body)
      return placesIn(body).map(({ tool, at }) => {
        const found = walk.fieldsFrom(at, wanted)?.get(field)
        return { tools: [tool], named: found === undefined ? null : countAt(body.subarray(at), found) }
      })
    },
    limit: (body, calls) => {
      const walk = new JsonWalk(body)
      const edits = placesIn(body).map(({ at }): Edit => {
        const found = walk.fieldsFrom(at, wanted)?.get(field)
        const named = found === undefined ? null : countAt(body.subarray(at), found)
        const bound = Math.min(named ?? HELD_CALLS, calls)
        if (found === undefined) return addition(body, at, `"${field}":${bound}`)
        return { at: { start: at + found.start, end: at + found.end }, text: String(bound) }
      })
      return edits.length === 0 ? body : splice(body, edits)
    },
  }
}

interface ToolPlace {
  readonly tool: HostedTool
  /** The offset of its object; -1: it stands at the top. */
  readonly at: number
}

/** Every tool that the body offers, where it stands. Throws the fault `request_invalid` where they are more than any request has. */
function toolsIn(body: Buffer): readonly ToolPlace[] {
  const places: ToolPlace[] = []
  const finder = new OutsideInputFinder((tool, at) => {
    if (places.length === HOSTED_TOOLS_LIMIT) throw tooMany()
    places.push({ tool, at })
  })
  scanObject(body, { wanted: NOTHING, onName: finder.look })
  return places
}

function tooMany(): Fault {
  const message = `The request asks for more than ${HOSTED_TOOLS_LIMIT} of the provider’s own tools. Name each tool once.`
  return new Fault('request_invalid', message, { param: 'tools' })
}

/** A whole number; null: it is none. */
function countAt(bytes: Buffer, { start, end }: Range): number | null {
  if (end - start > COUNT_BYTES) return null
  const count = Number(bytes.toString('latin1', start, end).trim() || NaN)
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}

const COUNT_BYTES = 32
const NO_MODEL = { name: '' }
const NOTHING: ReadonlySet<string> = new Set()
