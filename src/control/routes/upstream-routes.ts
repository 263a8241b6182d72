import { isDeepStrictEqual } from 'node:util'
import { changesBetween } from '../../access/audit.ts'
import { upstream, upstreamCreate, upstreamPatch, upstreamTest } from '../../contract/upstreams.ts'
import { namedQuery, pageOf } from '../../contract/wire-values.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { readCatalogue } from '../keys/catalogue.ts'
import { namedPage } from '../api/named-page.ts'
import { notFound } from '../api/problem.ts'
import { type Route, route } from '../api/route.ts'
import { added, changeOf, deleted, edited } from '../api/stored-edit-problems.ts'
import { requireCarriedTargets } from '../models/model-settings.ts'
import { modelsAtUpstream } from '../models/upstream-credentials.ts'
import { patchedUpstream, readUpstream } from '../models/upstream-settings.ts'
import { auditedUpstream, upstreamView } from '../views/upstream-view.ts'

const listUpstreams = route({
  method: 'get',
  path: '/api/upstreams',
  tag: 'Catalogue',
  summary: 'List the upstreams',
  who: 'admin',
  query: namedQuery,
  answer: pageOf(upstream),
  async handle(call, { store, capsNow }) {
    const catalogue = await readCatalogue(store)
    const page = namedPage(catalogue.upstreams, call.query, call)
    return { data: page.rows.map((each) => upstreamView(each, catalogue, capsNow)), next_cursor: page.next_cursor }
  },
})

const readOneUpstream = route({
  method: 'get',
  path: '/api/upstreams/{id}',
  tag: 'Catalogue',
  summary: 'Read an upstream',
  who: 'admin',
  answer: upstream,
  async handle(call, { store, capsNow }) {
    const catalogue = await readCatalogue(store)
    const found = catalogue.upstreams.find(({ id }) => id === call.params.id)
    if (found === undefined) throw notFound('upstream')
    return upstreamView(found, catalogue, capsNow)
  },
})

const createUpstream = route({
  method: 'post',
  path: '/api/upstreams',
  tag: 'Catalogue',
  summary: 'Add an upstream',
  description: 'Its credential is encrypted, and no route returns it.',
  who: 'admin',
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
    const answer = await call.change(async ({ catalog }, audit) => {
      const changes = changesBetween({}, auditedUpstream(made))
      await audit({ action: 'upstream.create', subject: made.id, accountId: null, changes })
      return added(await catalog.addUpstream(made), 'upstream')
    })
    await call.reachNodes(changeOf(answer))
    return upstreamView(made, { models: [] }, capsNow)
  },
})

const changeUpstream = route({
  method: 'patch',
  path: '/api/upstreams/{id}',
  tag: 'Catalogue',
  summary: 'Change an upstream',
  description:
    'A new base_url takes a new credential with it (or null): what is stored is never sent to another address. A credential that is left out stays.',
  who: 'admin',
  body: upstreamPatch,
  answer: upstream,
  problems: ['name_taken', 'managed'],
  async handle(call, { store, seal, clock, capsNow }) {
    const answer = await call.change(async ({ catalog }, audit) => {
      const models = await catalog.models()
      const reading = { seal, nowMs: clock.now(), modelsAtUpstream: modelsAtUpstream(call.params.id, models) }
      const patched = (before: Upstream): Upstream => {
        const after = patchedUpstream(before, call.body, reading)
        if (after.protocol !== before.protocol) requireCarriedTargets(after, models)
        return after
      }
      const made = edited(await catalog.editUpstream(call.params.id, patched), 'upstream')
      const changes = changesBetween(auditedUpstream(made.before), auditedUpstream(made.after))
      const isNewCredential = !isDeepStrictEqual(secretsOf(made.before), secretsOf(made.after))
      await audit({
        action: 'upstream.update',
        subject: made.after.id,
        accountId: null,
        changes: isNewCredential ? { ...changes, credential: { before: null, after: 'replaced' } } : changes,
      })
      return made
    })
    await call.reachNodes(changeOf(answer))
    return upstreamView(answer.after, await readCatalogue(store), capsNow)
  },
})

function secretsOf({ credentials }: Upstream): readonly string[] {
  return credentials.flatMap(({ sealedSecret, sealedProxyUrl }) => [sealedSecret, sealedProxyUrl ?? ''])
}

const deleteUpstream = route({
  method: 'delete',
  path: '/api/upstreams/{id}',
  tag: 'Catalogue',
  summary: 'Delete an upstream that no model has a target at',
  description: 'Running requests finish.',
  who: 'admin',
  problems: ['in_use', 'managed'],
  async handle(call) {
    const answer = await call.change(async ({ catalog }, audit) => {
      const gone = deleted(await catalog.deleteUpstream(call.params.id), 'upstream')
      const changes = changesBetween(auditedUpstream(gone.before), {})
      await audit({ action: 'upstream.delete', subject: gone.before.id, accountId: null, changes })
      return gone
    })
    await call.reachNodes(changeOf(answer))
  },
})

const runUpstreamTest = route({
  method: 'post',
  path: '/api/upstreams/{id}/test',
  tag: 'Catalogue',
  summary: 'Test an upstream with one small request',
  description: 'Asks for its list of models, which costs nothing. Returns 200 whatever the result.',
  who: 'admin',
  limits: { isReadOnly: true },
  answer: upstreamTest,
  async handle(call, { store, testUpstream }) {
    const upstreams = await store.catalog.upstreams()
    if (!upstreams.some(({ id }) => id === call.params.id)) throw notFound('upstream')
    const { isGood, status, totalMs, detail } = await testUpstream(call.params.id)
    return { ok: isGood, status, total_ms: totalMs, detail }
  },
})

export const upstreamRoutes: readonly Route[] = [
  listUpstreams,
  readOneUpstream,
  createUpstream,
  changeUpstream,
  deleteUpstream,
  runUpstreamTest,
]
