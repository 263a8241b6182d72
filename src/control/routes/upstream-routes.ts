import { upstreamTest } from '../../contract/upstream-test.ts'
import {
  upstream,
  upstreamCreate,
  upstreamDelete,
  upstreamPatch,
  upstreamStatuses,
  upstreamTrial,
  upstreamTrialAsked,
  type UpstreamTrialView,
} from '../../contract/upstreams.ts'
import { namedQuery, pageOf } from '../../contract/wire-values.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { kindByName } from '../../routing/kind-by-name.ts'
import type { ModelKind } from '../../core/model-kind.ts'
import { type ListedCatalogue, readCatalogue, upstreamOf } from '../catalogue.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { namedPage } from '../api/paging.ts'
import { existing, fieldProblem, Problem } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { upstreamNote } from '../audit/catalogue-notes.ts'
import { addObject, deleteObject, editObject } from '../api/stored-changes.ts'
import { requireCarriedTargets } from '../models/model-settings.ts'
import { deleteUpstreamWithTargets } from './upstream-deletion.ts'
import { modelsAtUpstream } from '../models/upstream-credentials.ts'
import { patchedUpstream, readUpstream } from '../models/upstream-settings.ts'
import { hasShadow } from '../views/shadow-rules-view.ts'
import { auditedUpstream, type UpstreamFigures, upstreamSecrets, upstreamView } from '../views/upstream-view.ts'
import type { ControlParts } from '../parts.ts'
import { localServers } from '../../contract/local-servers.ts'
import { LOCAL_SERVERS } from '../../core/local-servers.ts'
import { upstreamProbe, upstreamProbeAsked } from '../../contract/upstream-probe.ts'
import { readProbeQuestion } from '../models/upstream-probe-question.ts'
import { readUpstreamStatuses } from '../models/upstream-status.ts'
import { formatUsd } from '../../core/money.ts'
import { trialWireOf } from '../../core/upstream-protocol.ts'
import type { TrialQuestion, UpstreamTrial } from '../../routing/upstream-trial.ts'
import { ignoredModels, ignoredModelsChange, upstreamModels } from '../../contract/upstream-models.ts'
import { comparedModels, ignoreModels, readIgnoredModels } from '../models/upstream-models.ts'

const route = routesOf('Catalogue')

const probeUpstream = route('post /api/upstreams/probe', {
  summary: 'Find out what an address is before it is an upstream',
  description:
    'Asks for its list of models in the way of each protocol, the likeliest first, with the credential; through proxy_url where it is given; one after the other, at most four requests of six seconds each. A base URL of OpenAI’s protocol without a version is also asked with /v1, and the path of an endpoint is taken off: base_url in the answer is the one that fits. An address of a cloud is asked in its dialect and in the one protocol that is named, for the list that the cloud has: where it has none, the result is no_list. A proxy that fails is named in the step’s detail. Nothing is kept but an audit entry. Returns 200 whatever the result.',
  who: 'catalogue',
  limits: { isRepeatable: false, asksAddress: true },
  body: upstreamProbeAsked,
  answer: upstreamProbe,
  example: { body: { base_url: 'https://api.example.com/v1', credential: 'sk-…' } },
  async handle(call, { probeAddress }) {
    const question = readProbeQuestion(call.body)
    // Before it is asked: which admin looked at which address is known, also where the answer never comes.
    await call.change((_, audit) => {
      const changes = { base_url: { before: null, after: question.baseUrl } }
      return audit({ action: 'upstream.probe', subject: null, accountId: null, changes })
    })
    const probe = await probeAddress(question)
    return {
      protocol: probe.protocol,
      base_url: probe.baseUrl,
      steps: probe.steps.map(({ isGood, totalMs, times, ...step }) => ({
        ...step,
        ok: isGood,
        total_ms: totalMs,
        dns_ms: times.dnsMs,
        connect_ms: times.connectMs,
        tls_ms: times.tlsMs,
        first_byte_ms: times.firstByteMs,
      })),
      models: [...probe.models],
      kinds: kindsOf(probe.models),
    }
  },
})

const findLocal = route('get /api/upstreams/local', {
  summary: 'Find servers of models on the gateway’s machine',
  description:
    'Those of a closed list, such as Ollama and vLLM, that list their models on the port of 127.0.0.1 that is theirs by default, without a credential. Ports are fixed, each is given a second, and no other host is asked. In a container, the machine is the container.',
  who: 'catalogue',
  answer: localServers,
  async handle(_call, parts) {
    const found = await parts.localServers()
    const data = found.map(({ server, baseUrl, models }) => ({
      server,
      name: LOCAL_SERVERS[server].name,
      base_url: baseUrl,
      models,
    }))
    return { data }
  },
})

const readStatuses = route('get /api/upstreams/status', {
  summary: 'Read how all upstreams stand',
  description:
    'As the node that answers sees them, with what failed lately: of the newest 200 failed requests of the last day.',
  who: 'staff',
  answer: upstreamStatuses,
  handle: (call, parts) => readUpstreamStatuses(call.nowMs, parts),
})

const listUpstreams = route('get /api/upstreams', {
  summary: 'List the upstreams',
  who: 'staff',
  query: namedQuery,
  answer: pageOf(upstream),
  async handle(call, parts) {
    const catalogue = await readCatalogue(parts.store)
    const page = namedPage(catalogue.upstreams, call)
    const now = await upstreamNow(catalogue, parts)
    return { data: page.rows.map((each) => upstreamView(each, catalogue, now)), next_cursor: page.next_cursor }
  },
})

const readOneUpstream = route('get /api/upstreams/{id}', {
  summary: 'Read an upstream',
  who: 'staff',
  answer: upstream,
  async handle(call, parts) {
    const catalogue = await readCatalogue(parts.store)
    const found = existing(
      catalogue.upstreams.find(({ id }) => id === call.params.id),
      'upstream',
    )
    return upstreamView(found, catalogue, await upstreamNow(catalogue, parts))
  },
})

const createUpstream = route('post /api/upstreams', {
  summary: 'Add an upstream',
  description: 'Its credential is encrypted, and no route returns it.',
  who: 'catalogue',
  body: upstreamCreate,
  answer: upstream,
  status: 201,
  problems: ['name_taken'],
  example: {
    body: { name: 'openai-main', protocol: 'openai', base_url: 'https://api.example.com/v1', credential: 'sk-…' },
  },
  async handle(call, { newId, seal, clock, capsNow }) {
    const reading = { seal, nowMs: clock.now(), modelsAtUpstream: new Set<string>() }
    const made: Upstream = { id: newId('ups'), ...readUpstream(call.body, reading), isManaged: false }
    const note = upstreamNote(null, made)
    await addObject(call, 'upstream', { add: ({ catalog }) => catalog.addUpstream(made), note })
    return upstreamView(made, { models: [] }, { capsNow, counts: [] })
  },
})

const changeUpstream = route('patch /api/upstreams/{id}', {
  summary: 'Change an upstream',
  description:
    'A new base_url takes a new credential with it (or null): what is stored is never sent to another address. A credential that is left out stays.',
  who: 'catalogue',
  body: upstreamPatch,
  answer: upstream,
  problems: ['name_taken', 'managed'],
  async handle(call, parts) {
    const { seal, clock } = parts
    const edit = async ({ catalog }: ChangeableStores) => {
      const models = await catalog.models()
      const reading = { seal, nowMs: clock.now(), modelsAtUpstream: modelsAtUpstream(call.params.id, models) }
      const patched = (before: Upstream): Upstream => {
        const after = patchedUpstream(before, call.body, reading)
        if (after.protocol !== before.protocol) requireCarriedTargets(after, models)
        call.requireVersion({
          before: auditedUpstream(before),
          after: auditedUpstream(after),
          secrets: upstreamSecrets(before),
        })
        return after
      }
      return catalog.editUpstream(call.params.id, patched)
    }
    const changed = await editObject(call, 'upstream', { edit, noteOf: upstreamNote })
    const catalogue = await readCatalogue(parts.store)
    return upstreamView(changed, catalogue, await upstreamNow(catalogue, parts))
  },
})

const deleteUpstream = route('delete /api/upstreams/{id}', {
  summary: 'Delete an upstream',
  description:
    'While models have a target there it is refused, unless `models` says what becomes of them: all of it is done in one step, or none. Running requests finish.',
  who: 'catalogue',
  query: upstreamDelete,
  problems: ['in_use', 'managed'],
  async handle(call) {
    const { id } = call.params
    if (call.query.models === undefined && call.query.to === undefined) {
      return deleteObject(call, 'upstream', {
        delete: ({ catalog }) => catalog.deleteUpstream(id),
        settingsOf: auditedUpstream,
      })
    }
    const done = await call.change((stores, audit) => deleteUpstreamWithTargets(id, call.query, { stores, audit }))
    return call.reachNodes(...done)
  },
})

const runUpstreamTest = route('post /api/upstreams/{id}/test', {
  summary: 'Test an upstream with one small request',
  description:
    'Asks for its list of models, which costs nothing, and once more without the credential where it comes. Returns 200 whatever the result.',
  who: 'catalogue',
  limits: { isReadOnly: true, asksAddress: true },
  answer: upstreamTest,
  async handle(call, { store, testUpstream }) {
    const { id } = await upstreamOf(call.params.id, store)
    const { isGood, totalMs, provesCredential, ...test } = await testUpstream(id)
    return { ok: isGood, total_ms: totalMs, credential_proven: provesCredential, ...test }
  },
})

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
    const { protocol: spoken } = await upstreamOf(id, store)
    const { model, credential = null, stream, protocol = trialWireOf(spoken) } = call.body
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

const compareModels = route('post /api/upstreams/{id}/models', {
  summary: 'Compare the models of an upstream with those served from it',
  description:
    'Asks it for its list of models, which costs nothing, and says which are new there, ignored, served, or gone. Returns 200 whatever the result.',
  who: 'catalogue',
  limits: { isReadOnly: true, asksAddress: true },
  answer: upstreamModels,
  async handle(call, { store, listUpstreamModels }) {
    const { id } = call.params
    await upstreamOf(id, store)
    const list = await listUpstreamModels(id)
    const [models, ignored] = await Promise.all([store.catalog.models(), readIgnoredModels(store.settings, id)])
    return comparedModels(list, { upstreamId: id, models, ignored })
  },
})

const changeIgnored = route('post /api/upstreams/{id}/ignored-models', {
  summary: 'Ignore models that an upstream lists, or offer them again',
  description: 'They are not offered as new for as long as the upstream is there. Those that are served stay served.',
  who: 'catalogue',
  body: ignoredModelsChange,
  answer: ignoredModels,
  example: { body: { models: ['gpt-3.5-turbo'], ignored: true } },
  async handle(call, { store }) {
    const { id } = call.params
    await upstreamOf(id, store)
    const { models: names, ignored: isIgnored } = call.body
    const { after } = await call.change(async (stores, audit) => {
      const both = await ignoreModels(stores, { upstreamId: id, names, isIgnored })
      const changed = names.filter((name) => both.before.includes(name) !== both.after.includes(name))
      if (changed.length > 0) {
        const [before, now] = isIgnored ? [null, changed] : [changed, null]
        const changes = { ignored_models: { before, after: now } }
        await audit({ action: 'upstream.ignore_models', subject: id, accountId: null, changes })
      }
      return both
    })
    return { models: [...after] }
  },
})

export const upstreamRoutes: readonly ApiRoute[] = [
  probeUpstream,
  findLocal,
  readStatuses,
  listUpstreams,
  ...listFiles(listUpstreams, { name: 'upstreams' }),
  readOneUpstream,
  createUpstream,
  changeUpstream,
  deleteUpstream,
  runUpstreamTest,
  tryUpstream,
  compareModels,
  changeIgnored,
]

/** The threads of the process are asked only where a rule is in shadow. */
async function upstreamNow(
  catalogue: Pick<ListedCatalogue, 'upstreams' | 'models'>,
  { capsNow, shadowCounts }: Pick<ControlParts, 'capsNow' | 'shadowCounts'>,
): Promise<UpstreamFigures> {
  return { capsNow, counts: hasShadow(catalogue) ? await shadowCounts() : [] }
}

/** Chat models are left out. */
function kindsOf(models: readonly string[]): Record<string, ModelKind> {
  const kinds = models.map((model) => [model, kindByName(model)] as const)
  return Object.fromEntries(kinds.flatMap(([model, kind]) => (kind === null || kind === 'chat' ? [] : [[model, kind]])))
}

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
    url: tried.url,
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
