import type { ProviderSignature, ReasoningBlock } from '../../hub/neutral-request.ts'
import { openOpaque, WRAPPED_PREFIX, writeOpaque } from '../../hub/opaque-reasoning.ts'

/**
 * What `thoughtSignature` holds. Google's own stays byte for byte; another vendor's is written in base64, since Google's SDKs
 * for Python and Go decode the field. Clients such as Gemini CLI send signatures back and thoughts not, so the thought goes
 * with a signature of Anthropic, who wants both.
 */
export function writeSignature(opaque: ProviderSignature, thought: string): string {
  if (opaque.vendor === 'google') return opaque.data
  const kept = opaque.vendor === 'anthropic' && thought !== '' ? SEPARATOR + thought : ''
  return Buffer.from(writeOpaque(opaque, 'google') + kept).toString('base64')
}

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
export function mayHoldWrappedSignature(body: Buffer): boolean {
  return body.includes(WRAPPED)
}

/** Whether a signature is one that only we can read. */
export function isWrappedSignature(written: string): boolean {
  return written.startsWith(WRAPPED)
}

/** Stands for a missing signature, as Google's page on thought signatures says; its own CLI sends it too. */
export const NO_SIGNATURE = 'skip_thought_signature_validator'

const NO_SIGNATURES: ReadonlySet<string> = new Set([NO_SIGNATURE, 'context_engineering_is_the_way_to_go'])

/** How the prefix begins in base64: 18 of its bytes are 24 letters, whatever follows. */
export const WRAPPED = Buffer.from(WRAPPED_PREFIX).toString('base64').slice(0, 24)
/** Stands in no base64. */
const SEPARATOR = '\n'
