/** The models that attacks call, one for each kind that the provider has, on every protocol. */
import { type AttackedGateway, UPSTREAMS } from '../attacked-gateway.ts'
import { DEAR_PRICES, FREE_CALLS, MODEL_PRICES, TOOLED_PRICES } from './bill.ts'
import { MODEL_KINDS, type ModelKind, type MoneyCase } from './money-case.ts'

export const CONTEXT_TOKENS = 200_000
const OUTPUT_TOKENS = 64_000

const PROTOCOLS = Object.keys(UPSTREAMS) as readonly (keyof typeof UPSTREAMS)[]
/** Kinds that are also there with a target at one protocol alone. */
const TRANSLATED = ['plain', 'thinking'] as const

/** Opens them at the attacked gateway. */
export async function openModels(gateway: AttackedGateway): Promise<void> {
  for (const kind of MODEL_KINDS) await openModel(gateway, { kind, only: null })
  for (const kind of TRANSLATED) for (const only of PROTOCOLS) await openModel(gateway, { kind, only })
  await openModel(gateway, { kind: 'unbounded-brief', only: 'openai' })
}

async function openModel({ admin, prefix }: AttackedGateway, about: Pick<MoneyCase, 'only'> & { kind: ModelKind }) {
  const { kind, only } = about
  const targets = (only === null ? PROTOCOLS : [only]).map((protocol) => ({ upstream: prefix + protocol, model: kind }))
  await admin.ask('POST', '/api/models', {
    name: modelName(prefix, kind, only),
    price: priceOf(kind),
    context_tokens: CONTEXT_TOKENS,
    max_output_tokens: OUTPUT_TOKENS,
    targets,
  })
}

function priceOf(kind: ModelKind): object {
  if (kind === 'priced') return DEAR_PRICES
  if (kind === 'untooled') return MODEL_PRICES
  return { ...MODEL_PRICES, per_call: kind === 'tooled' ? TOOLED_PRICES : FREE_CALLS }
}

/** The name by which a model is called there. */
export function modelName(prefix: string, kind: ModelKind, only: MoneyCase['only'] = null): string {
  return only === null ? `${prefix}${kind}` : `${prefix}${kind}-at-${only}`
}
