import { isChatWire } from '../../core/wire.ts'
import type { TargetHealth } from '../../routing/target-health.ts'
import type { ExchangeContext } from './context.ts'

/** A target that takes longer than this on the average may take much longer for one request. */
const SOON_MS = 20_000
/** How fields begin by which requests ask for thinking, or bring earlier thinking along, on all wires. */
const THINKING = ['"reasoning', '"thinking', '"enable_thinking']

/**
 * Whether the first event of this stream is to be expected soon: it is of a chat, the target has begun soon so far, and
 * nothing says that the model thinks before it writes. Reads the body: to be asked of streams that have been silent for long.
 */
export function beginsSoon({ prepared, parts }: ExchangeContext, { firstEventMs }: TargetHealth): boolean {
  const { head, protocol, chosen, body } = prepared
  if (!head.stream || !isChatWire(protocol.wire)) return false
  if (firstEventMs === null || firstEventMs > SOON_MS) return false
  return parts.hiddenOutput.expected(chosen.model.name) === 0 && !THINKING.some((name) => body.includes(name))
}
