import { ONE_PPM } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { ImportNotes, type ImportPlan, type PlannedUpstream, type ImportSettings } from '../import-plan.ts'
import { planModels } from '../planned-models.ts'
import type { SourceReader } from '../source.ts'
import type { LitellmConfigFile } from './config-files.ts'
import { ModelAccess } from './keys.ts'
import { NamedVariables } from './named-variables.ts'
import { cataloguePrices, listedPrices, pricesOfFields } from './prices.ts'
import { readConfig, type Fallbacks } from './read-config.ts'
import { readDatabase } from './read-database.ts'
import { planDeployments, type ServedDeployment } from './upstreams.ts'
import type { WildcardSource } from './wildcards.ts'

const GROUP = 'default'
const NO_PEOPLE = { isWithoutPeople: true, plans: [], accounts: [], keys: [], subscriptions: [] } as const

/**
 * What is beside the configuration. `environment`: where the credentials are that it names by `os.environ/…`; `variables`:
 * those of them that may be read.
 */
export interface BesideConfig {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly variables: ReadonlySet<string> | null
  /** null: it was not given. */
  readonly database: SourceReader | null
  /** What names with `*` stand for; absent: they are left out. */
  readonly wildcards?: WildcardSource | null
  /** Fallbacks between models become targets. */
  readonly hasFallbacks?: boolean
  /** Asks an upstream for its list of models; null: it gave none. */
  readonly listModels?: (upstream: PlannedUpstream) => Promise<readonly string[] | null>
}

/**
 * The plan for LiteLLM's proxy: of its configuration upstreams, models and prices, and of its database keys and who has them.
 * Throws ImportRefusal.
 */
export async function readLitellm(
  file: LitellmConfigFile,
  { environment, variables: allowed, database, ...beside }: ImportSettings & BesideConfig,
): Promise<ImportPlan> {
  const { wildcards = null, hasFallbacks = false, listModels = () => Promise.resolve(null), ...settings } = beside
  const notes = new ImportNotes()
  const config = await readConfig(file)
  if (config.hasDatabase && database === null) {
    notes.note('general_settings', null, 'names a database: its keys, users and teams are carried with --database')
  }
  const variables = new NamedVariables({ environment, allowed, configured: config.variables })
  const about = { variables, group: GROUP, notes, settings, source: wildcards, listModels, path: file.path }
  const { upstreams, served } = await planDeployments(config.deployments, about)
  const aliased = [...config.aliases].flatMap(([name, to]) =>
    served.flatMap((each) => (each.name === to ? [{ ...each, name }] : [])),
  )
  const own = [...served, ...aliased]
  const all = withFallbacks(own, config.fallbacks, { isWanted: hasFallbacks, notes })
  const models = planModels(all, { table: 'model_list', pricesOf: pricesBy(own, { settings, notes }), notes })
  const access = new ModelAccess(
    models.map(({ name }) => name),
    config.deployments,
  )
  const people = database === null ? NO_PEOPLE : await readDatabase(database, { group: GROUP, access, settings, notes })
  return {
    product: 'litellm',
    groups: [{ name: GROUP, multiplier: ONE_PPM, isOpen: true, isEnabled: true, isOnlyAPlace: true }],
    upstreams,
    models,
    ...people,
    codes: [],
    variables: variables.named,
    notes: notes.notes,
    approximations: notes.approximations,
  }
}

/** Prices by a model’s name: what the first of its deployments says that says a price; else the list that was given; else the one that is shipped. */
function pricesBy(
  served: readonly ServedDeployment[],
  about: { readonly settings: ImportSettings; readonly notes: ImportNotes },
): (name: string) => ModelPrices | null {
  const byName = Map.groupBy(served, (each) => each.name)
  const listed = listedPrices(about.settings.pricing)
  return (name) => {
    const own = byName.get(name) ?? []
    for (const { deployment, named } of own) {
      const fields = new Map([...deployment.info, ...deployment.params, ['model', named.model]])
      const prices = pricesOfFields(name, fields, about)
      if (prices === null) continue
      if (prices.input !== null && prices.cacheRead === null && mayCache(fields.get('mode')))
        about.notes.note('models', name, FREE_CACHE)
      return prices
    }
    const fields = listed(own.flatMap(namesOf))
    if (fields !== null) return pricesOfFields(name, fields, about)
    return cataloguePrices(name, own, about)
  }
}

const FREE_CACHE = 'say no price of cached input, which is free there and costs what other input does here'

function mayCache(mode: unknown): boolean {
  return mode === undefined || mode === null || mode === 'chat' || mode === 'responses'
}

/** Names in LiteLLM's list, where models have their provider before them, or not. */
function namesOf({ deployment: { params, info }, named: { name, model } }: ServedDeployment): readonly string[] {
  const written = [info.get('base_model'), params.get('base_model'), params.get('model')].flatMap((each) =>
    typeof each === 'string' ? [each, each.slice(each.indexOf('/') + 1)] : [],
  )
  return [...written, `${name}/${model}`, model]
}

/**
 * Models with those that LiteLLM asks where they fail, as targets behind their own. Such an answer is charged at the price of the
 * model that was asked for here, and at its own there, so that it is done only where it is wanted.
 */
function withFallbacks(
  served: readonly ServedDeployment[],
  { of, standard, hasOthers }: Fallbacks,
  { isWanted, notes }: { readonly isWanted: boolean; readonly notes: ImportNotes },
): readonly ServedDeployment[] {
  const byName = Map.groupBy(served, ({ name }) => name)
  if (hasOthers)
    notes.note('router_settings', null, 'has fallbacks for prompts that are too long or refused, which are not carried')
  const names = [...byName.keys()].filter((name) => (of.get(name) ?? standard).length > 0)
  if (names.length === 0 && of.size === 0) return served
  if (!isWanted) {
    notes.note(
      'router_settings',
      null,
      'has fallbacks to other models: --fallbacks makes them targets behind the model’s own, at the price of the model that was asked for',
    )
    return served
  }
  return [...byName].flatMap(([name, own]) => [
    ...own,
    ...behind({ name, own }, of.get(name) ?? standard, { byName, notes }),
  ])
}

function behind(
  { name, own }: { readonly name: string; readonly own: readonly ServedDeployment[] },
  fallbacks: readonly string[],
  { byName, notes }: { readonly byName: ReadonlyMap<string, readonly ServedDeployment[]>; readonly notes: ImportNotes },
): readonly ServedDeployment[] {
  const placeOf = ({ target }: ServedDeployment) => JSON.stringify([target.upstream, target.model])
  const taken = new Set(own.map(placeOf))
  const added: ServedDeployment[] = []
  for (const fallback of fallbacks) {
    const others = byName.get(fallback) ?? []
    if (others.length === 0) notes.note('router_settings', name, `fall back to ${fallback}, which is not served here`)
    const after = Math.max(...[...own, ...added].map(({ target }) => target.priority)) + 1
    const fresh = others.filter((each) => !taken.has(placeOf(each)))
    for (const each of fresh) {
      taken.add(placeOf(each))
      added.push({ ...each, name, target: { ...each.target, priority: after + each.target.priority } })
    }
  }
  return added
}
