/** Frames answers of the plain fake upstream as Vertex AI sends them. */
import { type JsonFields, listOf, objectOf } from '../../../src/upstreams/demo/json.ts'
import type { VertexCall } from './vertex-path.ts'
import { hasIds, SIGNED_HERE } from './vertex-models.ts'
import type { VertexRefusal } from './vertex-rules.ts'

interface Frames {
  /** What goes out for a piece that came. */
  take(chunk: Buffer): Buffer
  /** What goes out at the end. */
  end(): Buffer
}

const NOTHING = Buffer.alloc(0)

/** `breaks`: the error that a stream ends with in its middle. */
export function framesOf(
  call: Exclude<VertexCall, { kind: 'list' }>,
  { isStream, breaks }: { isStream: boolean; breaks: VertexRefusal | null },
): Frames {
  const change = (json: JsonFields): JsonFields => (call.kind === 'gemini' ? geminiAnswer(json, call.model) : json)
  if (!isStream) return wholeFrames(change)
  let text = ''
  let events = 0
  let isBroken = false
  const framed = (event: string): string => {
    events += 1
    if (isBroken || event.trim() === '') return ''
    if (breaks !== null && events === BREAKS_AT) {
      isBroken = true
      return brokenEvent(call, breaks)
    }
    if (call.kind === 'gemini')
      return event.replace(/^data: (.*)$/m, (_, json: string) => `data: ${written(change(parsed(json)))}`)
    return call.kind === 'claude' && events % 2 === 1 ? event + OWN_EVENT : event
  }
  const take = (chunk: Buffer): Buffer => {
    text += chunk.toString('latin1')
    const parts = text.split(/(?<=\n\r?\n)/)
    text = /\n\r?\n$/.test(parts.at(-1) ?? '') ? '' : (parts.pop() ?? '')
    return Buffer.from(parts.map(framed).join(''), 'latin1')
  }
  return { take, end: () => Buffer.from(text === '' ? '' : framed(text), 'latin1') }
}

const BREAKS_AT = 4

/** An event of Vertex AI's own in streams of Claude (vercel/ai issue 11309). */
const OWN_EVENT = `event: vertex_event\ndata: ${JSON.stringify({
  type: 'vertex_event',
  usage: { input_tokens: 9, output_tokens: 1, tiers: { '0-to-200000': { input_tokens: 9, output_tokens: 1 } } },
})}\n\n`

function brokenEvent({ kind }: VertexCall, { body }: VertexRefusal): string {
  return kind === 'gemini' ? `data: ${JSON.stringify(body)}\n\n` : `data: ${JSON.stringify([body])}\n\n`
}

function wholeFrames(change: (json: JsonFields) => JsonFields): Frames {
  const parts: Buffer[] = []
  return {
    take: (chunk) => {
      parts.push(chunk)
      return NOTHING
    },
    end: () => {
      const whole = Buffer.concat(parts)
      try {
        return Buffer.from(JSON.stringify(change(objectOf(JSON.parse(whole.toString())))))
      } catch {
        return whole
      }
    },
  }
}

/** Says how it was billed, signs thoughts as its own, and leaves out ids that its models do not give. */
function geminiAnswer(json: JsonFields, model: string): JsonFields {
  const usage =
    json['usageMetadata'] === undefined
      ? {}
      : { usageMetadata: { ...objectOf(json['usageMetadata']), trafficType: 'ON_DEMAND' } }
  const candidates = listOf(json['candidates']).map(objectOf)
  const own = { candidates: candidates.map((candidate) => withParts(candidate, (part) => ownPart(part, model))) }
  return { ...json, ...(candidates.length === 0 ? {} : own), ...usage }
}

/** A candidate, or a content of a conversation within one, with these parts in the place of its own. */
function withParts(candidate: JsonFields, change: (part: JsonFields) => JsonFields): JsonFields {
  const content = objectOf(candidate['content'])
  return { ...candidate, content: { ...content, parts: listOf(content['parts']).map(objectOf).map(change) } }
}

function ownPart(part: JsonFields, model: string): JsonFields {
  const { thoughtSignature: signature, functionCall, ...others } = part
  const { id: _id, ...call } = objectOf(functionCall)
  return {
    ...others,
    ...(functionCall === undefined ? {} : { functionCall: hasIds(model) ? functionCall : call }),
    ...(typeof signature === 'string' ? { thoughtSignature: SIGNED_HERE + signature } : {}),
  }
}

/** Writes JSON in ASCII alone, since the stream is cut as Latin-1. */
function written(json: JsonFields): string {
  return JSON.stringify(json).replaceAll(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function parsed(json: string): JsonFields {
  return objectOf(JSON.parse(Buffer.from(json, 'latin1').toString()))
}
