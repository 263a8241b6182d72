import { ROUTE_TRACE_BYTES } from '../core/limits.ts'
import { ROUTE_REASON_NAMES, ROUTE_REASONS, type RouteReason } from '../core/route-reasons.ts'
import { SHADOW_RULE_NAMES, SHADOW_RULES, type ShadowRule } from '../core/shadow-rules.ts'

/** One candidate of a request, as it stood when it was decided on. */
export interface RouteStep {
  /** How people know the target: its upstream's name. */
  readonly name: string
  readonly reason: RouteReason
  /** How long it still rested, in whole seconds; null: it did not. */
  readonly restSeconds: number | null
  /** Rules in shadow that would have kept the request from it; left out: none. */
  readonly shadow?: readonly ShadowRule[]
}

/** The candidates of a request: those that were asked first, in their order. */
export interface RouteTrace {
  readonly steps: readonly RouteStep[]
  /** How many more there were than a record has room for. */
  readonly more: number
}

/** Longer names are cut in the trace. */
const NAME_CHARACTERS = 24
const BY_LETTER = new Map<string, RouteReason>(
  ROUTE_REASON_NAMES.map((reason) => [ROUTE_REASONS[reason], reason] as const),
)
const STEP = /^(.*)=([a-z])(\d*)(?:~([a-z]+))?$/s
const MORE = /^\+(\d+)$/

/** No record has room for more: a step takes three bytes and one that separates it from the next. */
export const WRITTEN_STEPS = Math.ceil(ROUTE_TRACE_BYTES / 4)

/**
 * Writes the route as a usage record keeps it, such as `main=t~s;spare=c12`: at most 200 bytes of UTF-8; what has no room is counted (`+3`).
 * `~s`: a rule in shadow, by its letter, would have kept the request from it.
 * `further`: how many there are behind these.
 */
export function writtenRoute(steps: readonly RouteStep[], further = 0): string {
  let text = ''
  let bytes = 0
  for (const [i, step] of steps.entries()) {
    const entry = (i === 0 ? '' : ';') + written(step)
    const left = steps.length - i - 1 + further
    const more = left === 0 ? 0 : `;+${left}`.length
    const length = Buffer.byteLength(entry)
    if (bytes + length + more > ROUTE_TRACE_BYTES) return `${text};+${left + 1}`
    text += entry
    bytes += length
  }
  return further === 0 ? text : `${text};+${further}`
}

/** Reads what `writtenRoute` wrote; what this version does not know, as a newer one may have written it, is counted. */
export function readRoute(text: string): RouteTrace {
  const steps: RouteStep[] = []
  let more = 0
  for (const entry of text.split(';')) {
    const left = MORE.exec(entry)
    const [, name, letter = '', seconds, letters = ''] = STEP.exec(entry) ?? []
    const reason = BY_LETTER.get(letter)
    if (left !== null) more += Number(left[1])
    else if (name === undefined || reason === undefined) more += 1
    else {
      const restSeconds = seconds === '' ? null : Number(seconds)
      steps.push({ name: decoded(name), reason, restSeconds, ...shadowIn(letters) })
    }
  }
  return { steps, more }
}

/** A name as a trace keeps it. */
export function cutName(name: string): string {
  // It has no more characters than units.
  if (name.length <= NAME_CHARACTERS) return name
  const characters = Array.from(name)
  return characters.length <= NAME_CHARACTERS ? name : characters.slice(0, NAME_CHARACTERS - 1).join('') + '…'
}

function written({ name, reason, restSeconds, shadow }: RouteStep): string {
  const letters = shadow === undefined ? '' : `~${shadow.map((rule) => SHADOW_RULES[rule]).join('')}`
  return `${encoded(cutName(name))}=${ROUTE_REASONS[reason]}${restSeconds ?? ''}${letters}`
}

/** Reads the letters of shadow rules. Unknown ones, of another version, are left out. */
function shadowIn(letters: string): Pick<RouteStep, 'shadow'> {
  const shadow = SHADOW_RULE_NAMES.filter((rule) => letters.includes(SHADOW_RULES[rule]))
  return shadow.length === 0 ? {} : { shadow }
}

/** What separates steps from one another, in a name. */
function encoded(name: string): string {
  return !/[%;=+]/.test(name) ? name : name.replace(/[%;=+]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

function decoded(name: string): string {
  return name.replace(/%(25|3b|3d|2b)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
