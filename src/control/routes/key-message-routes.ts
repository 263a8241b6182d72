import {
  keyMessage,
  keyMessageAsked,
  type KeyMessageAsked,
  keyMessagePrice,
  keyMessageQuery,
  type KeyMessageView,
} from '../../contract/key-messages.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { UPSTREAM_TRIAL_OUTPUT_TOKENS } from '../../core/limits.ts'
import { formatUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { NO_TOKENS, totalInput, totalOutput } from '../../core/tokens.ts'
import { wireFacts } from '../../core/wire.ts'
import { callableModels } from '../../entitlement/callable-models.ts'
import { type KeyMessage, stageOf } from '../../entitlement/key-message.ts'
import { costOf } from '../../metering/prices/cost.ts'
import { dearestPrices } from '../../metering/prices/dearest-prices.ts'
import { ownerOf } from '../keys/key-owner.ts'
import { ownedKey } from '../keys/owned-key.ts'
import { readCatalogue } from '../catalogue.ts'
import { type Actor, ownAccount, type Reach } from '../who/actor.ts'
import type { ControlParts } from '../parts.ts'
import { existing, fieldProblem, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'

const route = routesOf('Keys')

/** A sentence of five words and what a provider puts around it, generously. */
const INPUT_TOKENS = 40

const price = route('get /api/keys/{id}/message', {
  summary: 'Read what a test message would cost',
  description: 'Nothing is sent. `model` is one that the key can call now.',
  who: 'account',
  problems: ['account_needed'],
  query: keyMessageQuery,
  answer: keyMessagePrice,
  async handle(call, parts) {
    const key = await ownKey(call, parts)
    const [of, catalogue] = await Promise.all([ownerOf(key, call.nowMs, parts), readCatalogue(parts.store)])
    const callable = callableModels(of, { catalogue, nowMs: call.nowMs })
    const found = callable.find(({ model }) => model.name === call.query.model)
    if (found === undefined) throw fieldProblem('model', 'model must be a model that the key can call now.')
    const output = outputOf(call.query.protocol)
    const prices = dearestPrices(found.prices, { inputTokens: INPUT_TOKENS, asked: NO_TERMS })
    const most = costOf({ ...NO_TOKENS, input: INPUT_TOKENS, output }, prices, found.group.multiplier)
    return { group: found.group.name, output_tokens: output, most: formatUsd(most) }
  },
})

const send = route('post /api/keys/{id}/message', {
  summary: 'Send a test message with an API key of yours, without its secret',
  description:
    'A real request, on the way that every client takes: the key’s groups, limits and addresses hold, its account pays, and its record is among the others. The model is asked for “hello in one word” and for 8 tokens at most (16 where OpenAI’s Responses take no less). Returns 200 whatever the result, within about a minute: `stage` says how far it came.',
  who: 'account',
  body: keyMessageAsked,
  answer: keyMessage,
  problems: ['account_needed', 'too_many_requests'],
  example: { body: { model: 'gpt-5.5' } },
  async handle(call, parts) {
    const key = await ownKey(call, parts)
    const secretHash = existing(await parts.store.keys.secretHashOf(key.id), 'API key')
    const { model, protocol } = call.body
    const sent = await parts.sendKeyMessage({
      accountId: key.accountId,
      secretHash,
      modelName: model,
      wire: protocol,
      outputTokens: outputOf(protocol),
      address: call.address,
      origin: call.origin,
    })
    if (sent.kind === 'done') return viewOf(sent)
    throw new Problem('too_many_requests', 'Too many test messages within a minute. Try again when it is over.', {
      retryAfterSeconds: sent.retryAfterSeconds,
    })
  },
})

export const keyMessageRoutes: readonly ApiRoute[] = [price, send]

/** A key of the actor's own: an admin does not spend another account's money. Throws Problem. */
async function ownKey(
  call: { readonly actor: Actor; readonly reach: Reach; readonly params: { readonly id: string } },
  parts: ControlParts,
): Promise<ApiKey> {
  const { id } = ownAccount(call.actor)
  const key = await ownedKey(call, parts)
  if (key.accountId !== id) throw notFound('API key')
  return key
}

function outputOf(protocol: NonNullable<KeyMessageAsked['protocol']>): number {
  return Math.max(UPSTREAM_TRIAL_OUTPUT_TOKENS, wireFacts(protocol).leastOutputTokens ?? 0)
}

function viewOf({ record, ...sent }: KeyMessage): KeyMessageView {
  const isAnswered = sent.fault === null && sent.status === 200
  return {
    ok: isAnswered,
    stage: isAnswered ? 'answered' : sent.fault === null ? 'provider' : stageOf(sent.fault),
    request_id: sent.requestId,
    status: sent.status,
    fault: sent.fault,
    message: sent.message,
    text: sent.text,
    cost: formatUsd(record?.cost ?? ZERO_NANO_USD),
    input_tokens: record === null ? null : totalInput(record.tokens),
    output_tokens: record === null ? null : totalOutput(record.tokens),
    total_ms: sent.totalMs,
  }
}
