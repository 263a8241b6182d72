import type { ProviderSignature, ReasoningBlock } from '../../hub/neutral-request.ts'
import { openOpaque, WRAPPED_PREFIX, writeOpaque } from '../../hub/opaque-reasoning.ts'
import type { Fault } from '../../../core/faults.ts'
import { factsOf } from '../../../models/table.ts'
import { isObject } from '../../json/json-object.ts'
import type { Protocol } from '../../protocol.ts'
import { writeJson } from '../../json/exact-json.ts'
import { largeWith, parsed } from '../../hub/own-reasoning.ts'

/**
 * What `thoughtSignature` holds. Google's own stays byte for byte; another vendor's is written in base64, since Google's SDKs
 * for Python and Go decode the field. Clients such as Gemini CLI send signatures back and thoughts not, so the thought goes
 * with a signature of those who want both.
 */
export function writeSignature(opaque: ProviderSignature, thought: string): string {
  if (opaque.vendor === 'google') return opaque.data
  const kept = WITH_THOUGHT.has(opaque.vendor) && thought !== '' ? SEPARATOR + thought : ''
  return Buffer.from(writeOpaque(opaque, 'google') + kept).toString('base64')
}

/** Makers who want a thought back beside its signature. */
const WITH_THOUGHT: ReadonlySet<ProviderSignature['vendor']> = new Set(['anthropic', 'bedrock'])

/** What `writeSignature` wrote, or Google's own; null for the words that stand where no signature is known. */
export function openSignature(written: string): ReasoningBlock | null {
  if (written === '' || NO_SIGNATURES.has(written)) return null
  const own: ReasoningBlock = { kind: 'reasoning', text: '', opaque: { vendor: 'google', data: written } }
  if (!isWrappedSignature(written)) return own
  const [wrapped = '', ...thought] = Buffer.from(written, 'base64').toString().split(SEPARATOR)
  const opaque = openOpaque(wrapped, 'google')
  return opaque.vendor === 'google' ? own : { kind: 'reasoning', text: thought.join(SEPARATOR), opaque }
}

/** Whether bytes of a request may hold a signature of another vendor. */
function mayHoldWrappedSignature(body: Buffer): boolean {
  return body.includes(WRAPPED)
}

/** Whether a signature is one that only we can read. */
function isWrappedSignature(written: string): boolean {
  return written.startsWith(WRAPPED)
}

/** Stands for a missing signature, as Google's page on thought signatures says; its own CLI sends it too. */
export const NO_SIGNATURE = 'skip_thought_signature_validator'

const NO_SIGNATURES: ReadonlySet<string> = new Set([NO_SIGNATURE, 'context_engineering_is_the_way_to_go'])

/** How the prefix begins in base64: 18 of its bytes are 24 letters, whatever follows. */
export const WRAPPED = Buffer.from(WRAPPED_PREFIX).toString('base64').slice(0, 24)
/** Stands in no base64. */
const SEPARATOR = '\n'

type Rewrite = Protocol['rewriteRequest']

const QUOTED_MARK = `"${WRAPPED}`

/**
 * Requests on Gemini's own wire, for upstreams that refuse signatures they did not make: a conversation that another model
 * has answered in part holds such signatures, marked. Only a body with the mark in it is parsed and written anew; all others
 * pass as `rewrite` has them. Throws the fault `request_invalid` for one that is too large for that.
 */
export function keepingOwnSignatures(rewrite: Rewrite): Rewrite {
  return (body, head, change) => {
    const pieces = rewrite(body, head, change)
    if (!mayHoldWrappedSignature(body)) return pieces
    const request = parsed(Buffer.concat(pieces), QUOTED_MARK)
    const contents: unknown = request?.['contents']
    if (request === null || !Array.isArray(contents)) return pieces
    const { signed_calls: signed } = factsOf(change.takesLike ?? { name: change.model }, 'gemini')
    const own = contents.map((content: unknown) => withOwnSignatures(content, signed === 'required'))
    return [Buffer.from(writeJson(() => ({ ...request, contents: own })))]
  }
}

/** See `ProtocolBase.rewriteRefusal`. */
export function ownSignaturesRefusal(body: Buffer): Fault | null {
  return largeWith(QUOTED_MARK, body)
}

function withOwnSignatures(content: unknown, isRequired: boolean): unknown {
  if (!isObject(content) || !Array.isArray(content['parts'])) return content
  return { ...content, parts: content['parts'].map((part: unknown) => withOwnSignature(part, isRequired)) }
}

/** A call keeps the word for a signature that is not there, where its model wants one. */
function withOwnSignature(part: unknown, isRequired: boolean): unknown {
  if (!isObject(part)) return part
  const { thoughtSignature, thought_signature: snake, ...rest } = part
  const signature = thoughtSignature ?? snake
  if (typeof signature !== 'string' || !isWrappedSignature(signature)) return part
  const isCall = (rest['functionCall'] ?? rest['function_call'] ?? null) !== null
  return isCall && isRequired ? { ...rest, thoughtSignature: NO_SIGNATURE } : rest
}
