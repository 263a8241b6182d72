import type { ProviderSignature } from '../../hub/neutral-request.ts'
import { writeOpaque } from '../../hub/opaque-reasoning.ts'

/**
 * The `signature` of a thinking block. Reasoning that came without anything to send back is marked as another vendor's, so
 * that it is known when the conversation goes on with a Claude, which would refuse it.
 */
export function signatureOf(opaque: ProviderSignature | null): string {
  return writeOpaque(opaque ?? NOTHING_GIVEN, 'anthropic')
}

const NOTHING_GIVEN: ProviderSignature = { vendor: 'chat', data: '' }

/** Whether the block is written as `redacted_thinking`. */
export function isRedacted(opaque: ProviderSignature | null): opaque is ProviderSignature {
  return opaque?.isRedacted === true && opaque.vendor === 'anthropic'
}
