import { upstreamTrial, upstreamTrialAsked, type UpstreamTrialView } from '../../contract/upstreams.ts'
import { formatUsd } from '../../core/money.ts'
import { upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import type { TrialQuestion, UpstreamTrial } from '../../routing/upstream-trial.ts'
import { fieldProblem, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'

const route = routesOf('Catalogue')

const tryUpstream = route('post /api/upstreams/{id}/test-request', {
  summary: 'Test an upstream with one real request',
  description:
    'Sends the smallest request of a protocol, with `text` where it is given, to one model with one credential, on the way that requests of clients take: translation, headers, connections, credential. It asks for 8 output tokens (16 where OpenAI’s Responses take no less). Returns 200 whatever the result, within about a minute. The provider charges for it, no account pays, and its usage record says what it cost. A good answer releases the credential where it was refused; a bad one changes nothing.',
  who: 'catalogue',
  body: upstreamTrialAsked,
  answer: upstreamTrial,
  problems: ['conflict', 'too_many_requests'],
  example: { body: { model: 'gpt-5.5', credential: 'team-a', protocol: 'anthropic-messages', stream: true } },
  async handle(call, { store, tryUpstream: send }) {
    const { id } = call.params
    const upstream = (await store.catalog.upstreams()).find((each) => each.id === id)
    if (upstream === undefined) throw notFound('upstream')
    const { model, credential = null, stream, protocol = upstreamProtocolFacts(upstream.protocol).wires[0] } = call.body
    const { upstream_model: targetModel = null, text = null } = call.body
    const of = { upstreamId: id, modelName: model, targetModel, credentialName: credential }
    const question = { ...of, wire: protocol, isStream: stream, text }
    const tried = await send(question)
    if (tried.kind === 'refused') {
      throw tried.field === 'upstream' ? new Problem('conflict', tried.why) : fieldProblem(tried.field, tried.why)
    }
    if (tried.kind === 'too_many') {
      const why = 'Too many tests of upstreams run, or ran within the last minute. Try again when that is over.'
      throw new Problem('too_many_requests', why, { retryAfterSeconds: tried.retryAfterSeconds })
    }
    const view = viewOf(question, tried)
    await call.change((_, audit) => {
      const { request_id: request, model: name, credential: by, protocol: over, class: ended } = view
      const shown = { request, model: name, credential: by, protocol: over, class: ended }
      const changes = Object.fromEntries(
        Object.entries(shown).map(([field, after]) => [field, { before: null, after }]),
      )
      return audit({ action: 'upstream.test', subject: id, accountId: null, changes })
    })
    return view
  },
})

function viewOf({ modelName, wire, isStream }: TrialQuestion, tried: UpstreamTrial): UpstreamTrialView {
  return {
    ok: tried.ended === 'ok' && tried.fault === null,
    request_id: tried.requestId,
    model: modelName,
    upstream_model: tried.targetModel,
    credential: tried.credentialName,
    protocol: wire,
    stream: isStream,
    translated: tried.isTranslated,
    dropped_fields: [...tried.droppedFields],
    connected: tried.isConnected,
    status: tried.status,
    first_event_ms: tried.firstEventMs,
    usage_source: tried.usageSource,
    input_tokens: tried.inputTokens,
    output_tokens: tried.outputTokens,
    provider_cost: tried.providerCost === null ? null : formatUsd(tried.providerCost),
    class: tried.ended,
    fault: tried.fault,
    client_status: tried.clientStatus,
    result: tried.result,
    said: tried.said,
    detail: tried.detail,
    released: tried.isReleased,
    total_ms: tried.totalMs,
  }
}

export const upstreamTrialRoutes: readonly ApiRoute[] = [tryUpstream]
