/** The models that attacks call, one for each kind that the provider has, on every protocol. */
import { type AttackedGateway, UPSTREAMS } from '../attacked-gateway.ts'
import { DEAR_PRICES, MODEL_PRICES } from './bill.ts'
import { MODEL_KINDS, type ModelKind } from './money-case.ts'

export const CONTEXT_TOKENS = 200_000
const OUTPUT_TOKENS = 64_000

/** Opens them at the attacked gateway. */
export async function openModels({ admin, prefix }: AttackedGateway): Promise<void> {
  for (const kind of MODEL_KINDS) {
    const name = modelName(prefix, kind)
    const targets = Object.keys(UPSTREAMS).map((protocol) => ({ upstream: prefix + protocol, model: kind }))
    const sizes = { context_tokens: CONTEXT_TOKENS, max_output_tokens: OUTPUT_TOKENS }
    await admin.ask('POST', '/api/models', {
      name,
      price: kind === 'priced' ? DEAR_PRICES : MODEL_PRICES,
      ...sizes,
      targets,
    })
  }
}

/** As they are called there. */
export function modelName(prefix: string, kind: ModelKind): string {
  return `${prefix}${kind}`
}
