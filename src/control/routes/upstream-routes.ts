import { upstreamTest } from '../../contract/upstream-test.ts'
import { upstream, upstreamCreate, upstreamPatch } from '../../contract/upstreams.ts'
import { namedQuery, pageOf } from '../../contract/wire-values.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { readCatalogue } from '../catalogue.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { namedPage } from '../api/named-page.ts'
import { notFound } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { upstreamNote } from '../audit/catalogue-notes.ts'
import { addObject, deleteObject, editObject } from '../api/stored-changes.ts'
import { requireCarriedTargets } from '../models/model-settings.ts'
import { modelsAtUpstream } from '../models/upstream-credentials.ts'
import { patchedUpstream, readUpstream } from '../models/upstream-settings.ts'
import { hasShadow } from '../views/shadow-rules-view.ts'
import { auditedUpstream, type UpstreamFigures, upstreamSecrets, upstreamView } from '../views/upstream-view.ts'
import type { ControlParts } from '../parts.ts'
import type { ListedCatalogue } from '../catalogue.ts'

const route = routesOf('Catalogue')

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
    const found = catalogue.upstreams.find(({ id }) => id === call.params.id)
    if (found === undefined) throw notFound('upstream')
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

/** The threads of the process are asked only where a rule is in shadow. */
async function upstreamNow(
  catalogue: Pick<ListedCatalogue, 'upstreams' | 'models'>,
  { capsNow, shadowCounts }: Pick<ControlParts, 'capsNow' | 'shadowCounts'>,
): Promise<UpstreamFigures> {
  return { capsNow, counts: hasShadow(catalogue) ? await shadowCounts() : [] }
}

const deleteUpstream = route('delete /api/upstreams/{id}', {
  summary: 'Delete an upstream that no model has a target at',
  description: 'Running requests finish.',
  who: 'catalogue',
  problems: ['in_use', 'managed'],
  handle: (call) =>
    deleteObject(call, 'upstream', {
      delete: ({ catalog }) => catalog.deleteUpstream(call.params.id),
      settingsOf: auditedUpstream,
    }),
})

const runUpstreamTest = route('post /api/upstreams/{id}/test', {
  summary: 'Test an upstream with one small request',
  description:
    'Asks for its list of models, which costs nothing, and once more without the credential where it comes. Returns 200 whatever the result.',
  who: 'catalogue',
  limits: { isReadOnly: true, asksAddress: true },
  answer: upstreamTest,
  async handle(call, { store, testUpstream }) {
    const upstreams = await store.catalog.upstreams()
    if (!upstreams.some(({ id }) => id === call.params.id)) throw notFound('upstream')
    const { isGood, totalMs, provesCredential, ...test } = await testUpstream(call.params.id)
    return { ok: isGood, total_ms: totalMs, credential_proven: provesCredential, ...test }
  },
})

export const upstreamRoutes: readonly ApiRoute[] = [
  listUpstreams,
  ...listFiles(listUpstreams, { name: 'upstreams' }),
  readOneUpstream,
  createUpstream,
  changeUpstream,
  deleteUpstream,
  runUpstreamTest,
]
