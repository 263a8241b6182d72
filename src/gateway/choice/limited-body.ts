import type { AskedModel } from '../../models/table.ts'
import { placesIn, type Protocol, type RequestHead } from '../../protocols/protocol.ts'

/** Limits that are lower than a client asked for; null: as it asked. */
interface LoweredLimits {
  /** The model that is to write the output. */
  readonly model: AskedModel
  /** Tokens of output for each answer. */
  readonly tokens: number | null
  /** Calls of each of the provider's own tools. */
  readonly calls: number | null
}

/** The pieces of a body with the lowered limits, where there are any, in the fields that models like this take. */
export function limitedBody(
  pieces: Buffer[],
  { model, tokens, calls }: LoweredLimits,
  of: { readonly protocol: Protocol; readonly body: Buffer; readonly head: RequestHead },
): Buffer[] {
  const { limitOutput, toolBounds } = of.protocol
  const places = (those: readonly Buffer[]) => placesIn(those, of.body, of.head.limits)
  let limited = pieces
  if (calls !== null && toolBounds !== undefined) {
    limited = [toolBounds.limit(Buffer.concat(pieces), calls, places(pieces))]
  }
  if (tokens !== null && limitOutput !== undefined) {
    const shorter = limitOutput(Buffer.concat(limited), { model, tokens }, places(limited))
    if (shorter !== null) limited = [shorter]
  }
  return limited
}
