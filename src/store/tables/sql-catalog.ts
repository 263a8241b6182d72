import type { Selectable } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import { shadowOf, UPSTREAM_SHADOWS, type UpstreamShadow } from '../../core/shadow-rules.ts'
import type { StoredUse } from '../../core/stored-edits.ts'
import type { CatalogStore, Model, RequestOverrides, Upstream } from '../../routing/catalog.ts'
import type { Serving } from '../../routing/serving.ts'
import { isReachedAlike } from '../../routing/upstream-settings.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { credentialsJson, credentialsOf } from '../schema/credentials.ts'
import { modelPriceColumns, modelPricesOf } from '../schema/prices.ts'
import { scheduledPriceIn, scheduledPriceJson } from '../schema/scheduled-price-json.ts'
import { targetsJson, targetsOf } from '../schema/targets-json.ts'
import type { ModelRow, UpstreamRow } from '../schema/tables.ts'
import { changeCredential, credentialStates, noteHolds, releaseHolds } from './credential-states.ts'
import { shareSpend } from './day-spends.ts'
import { forgetTokens } from './sql-minted-tokens.ts'
import { NAMED_USES, namedObjects, type NamedObjects, type NamedRow } from './named-objects.ts'
import { forgetNotes, limitNotes, noteLimit, noteRefusal, refusalNotes } from './target-notes.ts'

export function catalogOn(database: Database): CatalogStore {
  const models = namedObjects(database, MODELS)
  const upstreams = namedObjects(database, UPSTREAMS)
  return {
    models: models.all,
    upstreams: upstreams.all,
    putModel: async (model) => (await models.put(model)) !== null,
    putUpstream: async (upstream) => (await upstreams.put(upstream)) !== null,
    addModel: models.add,
    editModel: models.edit,
    deleteModel: (id) => models.remove(id, takenOffGroups),
    addUpstream: upstreams.add,
    editUpstream: (id, edit) => upstreams.edit(id, edit, forgottenOnNewWay),
    deleteUpstream: (id) => upstreams.remove(id, modelsServedBy),
    credentialStates: () => credentialStates(database),
    noteHolds: (notes) => noteHolds(database, notes),
    changeCredential: (change) => changeCredential(database, change),
    shareSpend: (day, spent) => shareSpend(database, day, spent),
    limitNotes: () => limitNotes(database),
    noteLimit: (note) => noteLimit(database, note),
    refusalNotes: () => refusalNotes(database),
    noteRefusal: (note, nowMs) => noteRefusal(database, note, nowMs),
  }
}

const MODELS: NamedObjects<Model> = { table: 'models', rowOf: modelRow, storedOf: modelOf, isRemembered: true }

const UPSTREAMS: NamedObjects<Upstream> = {
  table: 'upstreams',
  rowOf: upstreamRow,
  storedOf: upstreamOf,
  isRemembered: true,
}

/** Groups list models by name, and would serve another one that gets this name later without having been asked. */
async function takenOffGroups(transaction: TablesTransaction, { name }: Model): Promise<readonly StoredUse[]> {
  const groups = await transaction
    .selectFrom('groups')
    .select(['id', 'name', 'models_json', 'is_managed'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const listing = groups.flatMap((group) => {
    const models = group.models_json as readonly string[]
    return models.includes(name) ? [{ ...group, rest: models.filter((model) => model !== name) }] : []
  })
  const fixed = listing.filter((group) => group.is_managed)
  if (fixed.length > 0) {
    return [{ by: 'groups', count: fixed.length, names: fixed.slice(0, NAMED_USES).map((group) => group.name) }]
  }
  for (const { id, rest } of listing) {
    await transaction
      .updateTable('groups')
      .set({ models_json: JSON.stringify(rest) })
      .where('id', '=', id)
      .execute()
  }
  return []
}

/**
 * An upstream that is reached another way is met as a new one: what was learned of its models under the former protocol,
 * address or way is forgotten, and its credentials are no longer held. Those disabled by hand stay disabled.
 */
async function forgottenOnNewWay(
  transaction: TablesTransaction,
  { before, after }: { readonly before: Upstream; readonly after: Upstream },
): Promise<void> {
  await forgetTokens(transaction, after)
  if (isReachedAlike(before, after)) return
  await releaseHolds(transaction, after.id)
  await forgetNotes(transaction, after.id)
}

async function modelsServedBy(transaction: TablesTransaction, { id }: Upstream): Promise<readonly StoredUse[]> {
  const rows = await transaction.selectFrom('models').select(['name', 'targets_json']).orderBy('name').execute()
  const names = rows.flatMap((row) => {
    const targets = targetsOf(row.targets_json)
    return targets.some(({ upstreamId }) => upstreamId === id) ? [row.name] : []
  })
  // It is going to be deleted.
  if (names.length === 0) {
    await transaction.deleteFrom('credential_states').where('upstream_id', '=', id).execute()
    await forgetTokens(transaction, { id, credentials: [] })
    await forgetNotes(transaction, id)
  }
  return [{ by: 'models', count: names.length, names: names.slice(0, NAMED_USES) }]
}

function modelOf(row: Selectable<ModelRow>): Model {
  return {
    id: row.id,
    name: row.name,
    prices: modelPricesOf(row),
    contextTokens: row.context_tokens,
    maxOutputTokens: row.max_output_tokens,
    ...(row.kind === null ? {} : { kind: row.kind }),
    ...(row.is_recommended ? { isRecommended: true } : {}),
    ...(row.is_price_locked ? { isPriceLocked: true } : {}),
    ...servingIn(row.serving_json as Serving),
    targets: targetsOf(row.targets_json),
    ...scheduledPriceIn(row.scheduled_json),
    createdAt: row.created_at,
    isManaged: row.is_managed,
  }
}

function servingIn(serving: Serving): Pick<Model, 'serving'> {
  return Object.keys(serving).length === 0 ? {} : { serving }
}

function modelRow(model: Model): NamedRow {
  return {
    id: model.id,
    name: model.name,
    ...modelPriceColumns(model.prices),
    context_tokens: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    kind: model.kind ?? null,
    is_recommended: model.isRecommended ?? false,
    is_price_locked: model.isPriceLocked ?? false,
    targets_json: targetsJson(model.targets),
    serving_json: JSON.stringify(model.serving ?? {}),
    scheduled_json: scheduledPriceJson(model.scheduled),
    created_at: model.createdAt,
    is_managed: model.isManaged,
  }
}

function upstreamOf(row: Selectable<UpstreamRow>): Upstream {
  return {
    id: row.id,
    name: row.name,
    protocol: row.protocol,
    baseUrl: row.base_url,
    credentials: credentialsOf(row.credentials_json),
    connectTimeoutMs: row.connect_timeout_ms,
    firstByteTimeoutMs: row.first_byte_timeout_ms,
    timeoutMs: row.timeout_ms,
    maxConcurrency: row.max_concurrency,
    ...(row.spend_per_day_nano === null ? {} : { spendPerDay: nanoUsd(row.spend_per_day_nano) }),
    ...shadowOf(UPSTREAM_SHADOWS, row.shadow_json as readonly UpstreamShadow[]),
    headers: row.headers_json as Readonly<Record<string, string>>,
    ...passageOf(row.passage_json as RequestOverrides),
    isManaged: row.is_managed,
  }
}

function passageOf(passage: RequestOverrides): Pick<Upstream, 'passage'> {
  return Object.keys(passage).length === 0 ? {} : { passage }
}

function upstreamRow(upstream: Upstream): NamedRow {
  return {
    id: upstream.id,
    name: upstream.name,
    protocol: upstream.protocol,
    base_url: upstream.baseUrl,
    credentials_json: credentialsJson(upstream.credentials),
    connect_timeout_ms: upstream.connectTimeoutMs,
    first_byte_timeout_ms: upstream.firstByteTimeoutMs,
    timeout_ms: upstream.timeoutMs,
    max_concurrency: upstream.maxConcurrency,
    spend_per_day_nano: upstream.spendPerDay ?? null,
    shadow_json: JSON.stringify(upstream.shadow ?? []),
    headers_json: JSON.stringify(upstream.headers),
    passage_json: JSON.stringify(upstream.passage ?? {}),
    is_managed: upstream.isManaged,
  }
}
